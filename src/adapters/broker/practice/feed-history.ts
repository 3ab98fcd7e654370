// Past bars and corporate actions of the feed. What the trader would refuse as a bar is none here.
import { BARS_ASKED } from '#engine/market-data/accept-bars.ts';
import { validateBar } from '#engine/market-data/validate-bar.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import { FeedFailed } from './feed-failed.ts';

export type Actions = ReadonlyMap<Symbol, readonly CorporateAction[]>;

type Wanted = {
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly actions: Actions;
  readonly now: Instant;
};

/** Oldest first. Throws FeedFailed. */
export async function barsOf(
  feed: MarketDataFeed,
  instrument: Instrument,
  { from, to, actions, now }: Wanted,
): Promise<readonly Bar[]> {
  const { symbol } = instrument;
  const answer = await feed.dailyBars(symbol, from, to);
  if (!answer.ok) throw new FeedFailed(answer);
  const own = actions.get(symbol) ?? [];
  const kept: Bar[] = [];
  for (const [i, bar] of answer.value.bars.entries()) {
    const around = { before: kept.slice(-BARS_ASKED), after: answer.value.bars[i + 1] ?? null };
    if (validateBar(bar, { instrument, actions: own, now, ...around }) === null) kept.push(bar);
  }
  return kept;
}

/** Throws FeedFailed. */
export async function listActions(feed: MarketDataFeed): Promise<Actions> {
  const answer = await feed.corporateActions();
  if (!answer.ok) throw new FeedFailed(answer);
  return Map.groupBy(answer.value, ({ symbol }) => symbol);
}

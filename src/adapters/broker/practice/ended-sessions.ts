// The sessions that ended since a practice account last looked, with their bars and what their nights do.
import { endOfDayEvents } from '#engine/end-of-day/end-of-day-events.ts';
import { barSeries } from '#engine/market/bar-series.ts';
import { nextSession, previousSession, type Session } from '#engine/market/calendar.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import { optionClose } from '#engine/market/derivatives/option-price.ts';
import type { Bar, CalendarId } from '#engine/market/instrument.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import type { EndedSession, PracticeMarket } from '#engine/practice/look.ts';
import type { PracticeAccount } from '#engine/practice/practice-account.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import { FeedFailed } from './feed-failed.ts';

/** Throws FeedFailed where the feed does not say what a session needs. */
export async function endedSessions(
  feed: MarketDataFeed,
  account: PracticeAccount,
  { now, marks, instruments }: Pick<PracticeMarket, 'now' | 'marks' | 'instruments'>,
): Promise<readonly EndedSession[]> {
  const used = new Set([...instruments.values()].map(({ calendar }) => calendar));
  const sessions = [...used].flatMap((calendar) =>
    sessionsBetween(calendar, account.lookedAt, now).map((one) => ({ ...one, calendar })),
  );
  if (sessions.length === 0) return [];
  const actions = await listActions(feed);
  const first = sessions.reduce((least, { date }) => (date < least ? date : least), sessions[0]!.date);
  const bars = new Map<Symbol, readonly Bar[]>();
  for (const symbol of [...instruments.keys()].filter((one) => parseOption(one) === null))
    bars.set(symbol, await barsOf(feed, symbol, { from: addDays(first, -HISTORY_DAYS), to: utcDate(now) }));
  const barAt = (symbol: Symbol, { date }: Session) => bars.get(symbol)?.find((bar) => bar.date === date);
  return sessions
    .toSorted((one, other) => one.closesAt - other.closesAt)
    .map((session) => ({
      ...session,
      openOf: (symbol) => barAt(symbol, session)?.open ?? null,
      eventsOf: (symbol, held, heldOf) => {
        const closeOf = (other: Symbol) => closeIn(other, session, bars);
        const { calendar, date } = session;
        const closed = { calendar, date, instruments, actions, marks, closeOf };
        return endOfDayEvents({ symbol, held, heldOf }, closed).events;
      },
    }));
}

export async function barsOf(
  feed: MarketDataFeed,
  symbol: Symbol,
  { from, to }: { readonly from: IsoDate; readonly to: IsoDate },
): Promise<readonly Bar[]> {
  const answer = await feed.dailyBars(symbol, from, to);
  if (!answer.ok) throw new FeedFailed(answer);
  return answer.value.bars;
}

/** The sessions that ended in (from, to]. */
function sessionsBetween(calendar: CalendarId, from: Instant, to: Instant): Session[] {
  const ended: Session[] = [];
  let next = nextSession(calendar, previousSession(calendar, from).opensAt);
  while (next.closesAt <= to) {
    if (next.closesAt > from) ended.push(next);
    next = nextSession(calendar, next.opensAt);
  }
  return ended;
}

async function listActions(feed: MarketDataFeed): Promise<ReadonlyMap<Symbol, readonly CorporateAction[]>> {
  const answer = await feed.corporateActions();
  if (!answer.ok) throw new FeedFailed(answer);
  return Map.groupBy(answer.value, ({ symbol }) => symbol);
}

/** An option's close follows from its underlying's bars, as in the trader's own end of day. */
function closeIn(
  symbol: Symbol,
  { date }: Session,
  bars: ReadonlyMap<Symbol, readonly Bar[]>,
): number | undefined {
  const option = parseOption(symbol);
  if (option === null) return bars.get(symbol)?.find((bar) => bar.date === date)?.close;
  const known = bars.get(option.underlying) ?? [];
  const row = known.findIndex((bar) => bar.date === date);
  return row < 0 ? undefined : optionClose(option, barSeries(option.underlying, '1d', known), row);
}

/** Enough bars for the volatility of an option. */
const HISTORY_DAYS = 400;

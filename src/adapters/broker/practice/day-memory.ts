// What a look needs of the days before, read once a day: the newest bars of an instrument, and its splits and dividends.
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { addDays, type Instant, utcDate } from '#units/instant.ts';
import { type Actions, barsOf, listActions } from './feed-history.ts';

type RecentDays = {
  /** Oldest first. */
  readonly bars: readonly Bar[];
  readonly actions: readonly CorporateAction[];
};

/** Throws FeedFailed where the feed does not answer. */
export type DayMemory = { recent(instrument: Instrument, now: Instant): Promise<RecentDays> };

export function createDayMemory(feed: MarketDataFeed): DayMemory {
  const known = new Map<string, RecentDays>();
  let listed: { readonly day: string; readonly actions: Actions } | null = null;
  return {
    async recent(instrument, now) {
      const { symbol } = instrument;
      const today = utcDate(now);
      const key = `${symbol} ${today}`;
      const earlier = known.get(key);
      if (earlier !== undefined) return earlier;
      if (listed?.day !== today) listed = { day: today, actions: await listActions(feed) };
      const { actions } = listed;
      const bars = await barsOf(feed, instrument, {
        from: addDays(today, -DAYS),
        to: today,
        actions,
        now,
      });
      const recent = { bars, actions: actions.get(symbol) ?? [] };
      if (known.size > KEPT_MAX) known.clear();
      known.set(key, recent);
      return recent;
    },
  };
}

/** Longer than any closing of a market. */
const DAYS = 10;
const KEPT_MAX = 10_000;

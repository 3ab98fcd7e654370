import { isTradingDay } from '#engine/market/calendar.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import type { Instant } from '#units/instant.ts';

/** What is wrong with a bar from the feed, as a sentence; null when nothing is. A wrong bar is never repaired. */
export function barFault(bar: Bar, { instrument, before, now }: BarSurroundings): string | null {
  const { open, high, low, close, volume } = bar;
  if (![open, high, low, close, volume].every(Number.isFinite)) return 'a number is missing';
  if (!(low > 0)) return `its low is ${low}, not above zero`;
  if (high < Math.max(open, close) || low > Math.min(open, close))
    return 'high and low do not enclose open and close';
  if (volume < 0) return `its volume is ${volume}`;
  if (!(bar.openedAt < bar.closedAt)) return 'it closes before it opens';
  if (bar.closedAt > now) return 'it has not closed yet';
  if (before !== null && bar.closedAt <= before.closedAt) return 'it is not after the last one';
  if (!isTradingDay(instrument.calendar, bar.date)) return `${bar.date} is no trading day of its exchange`;
  if (before !== null && isLeap(before.close, open)) {
    return `it opens at ${open} after a close of ${before.close}: more than tenfold`;
  }
  return null;
}

export type BarSurroundings = {
  readonly instrument: Instrument;
  /** The bar before it; null when it is the first. */
  readonly before: Bar | null;
  readonly now: Instant;
};

/** A slipped decimal point rather than a market: the largest one-day moves on record stay far below tenfold. */
function isLeap(before: number, after: number): boolean {
  return after >= before * 10 || after <= before / 10;
}

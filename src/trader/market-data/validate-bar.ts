import { isTradingDay } from '#engine/market/calendar.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import type { Instant } from '#units/instant.ts';
import { isOutsidePriceBand, priceOn } from './price-band.ts';

/** What is wrong with a bar from the feed, as a sentence; null when nothing is. A wrong bar is never repaired. */
export function validateBar(bar: Bar, surroundings: BarSurroundings): string | null {
  const { instrument, now } = surroundings;
  const before = surroundings.before.at(-1) ?? null;
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
  return findBandBreach(bar, surroundings);
}

export type BarSurroundings = {
  readonly instrument: Instrument;
  /** The bars before it, oldest first; as many of the last ones as are to be asked. */
  readonly before: readonly Bar[];
  /** The one that is told after it; asked of the very first bar, which has nothing else to be held against. */
  readonly after: Bar | null;
  readonly actions: readonly CorporateAction[];
  readonly now: Instant;
};

/**
 * All four of its prices are held against one close: a slip in any of them would be written down for ever. One of the last
 * closes must have them possible, not the very last: were that one wrong, it would keep all true bars out.
 */
function findBandBreach(bar: Bar, { before, after, actions }: BarSurroundings): string | null {
  const { open, high, low, close, date } = bar;
  const closes = before.map((one) => priceOn({ price: one.close, date: one.date }, date, actions));
  if (after !== null && closes.length === 0)
    closes.push(priceOn({ price: after.open, date: after.date }, date, actions));
  if (closes.length === 0) closes.push(open);
  const isPossible = (known: number) =>
    [open, high, low, close].every((price) => !isOutsidePriceBand(known, price));
  if (closes.some(isPossible)) return null;
  const from = before.length > 0 ? ` after a close of ${closes.at(-1)}` : '';
  return `it goes from ${open} to ${close}, between ${low} and ${high},${from}: more than tenfold`;
}

// Finding bars and quotes in a list of bars that is sorted by time: the same for simulated and replayed prices.
import type { DateRange } from '#engine/market/calendar.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import type { Instant } from '#units/instant.ts';
import { POINTS_PER_DAY } from './price-models/day-path.ts';
import type { Quote } from './price-source.ts';
import { quoteAround } from './spread.ts';

type BarList = { readonly instrument: Instrument; readonly bars: readonly Bar[] };

/** The quote at an instant; `pointAt` gives the price of the nth of a bar's POINTS_PER_DAY equal parts. */
export function quoteFromBars(
  { instrument, bars }: BarList,
  at: Instant,
  pointAt: (barIndex: number, part: number) => number,
): Quote | null {
  const index = firstClosingAfter(bars, at);
  const current = bars[index];
  if (current && current.openedAt <= at) {
    const passed = (at - current.openedAt) / (current.closedAt - current.openedAt);
    return quoteAround(instrument, pointAt(index, Math.floor(passed * POINTS_PER_DAY)), at, true);
  }
  const before = bars[index - 1];
  return before ? quoteAround(instrument, before.close, at, false) : null;
}

export function barsBetween(bars: readonly Bar[], range: DateRange & { readonly asOf: Instant }): Bar[] {
  const known = bars.slice(0, firstClosingAfter(bars, range.asOf));
  return known.filter((bar) => bar.date >= range.from && bar.date <= range.to);
}

/** Index of the first bar that closes after an instant; the length of the list when all have closed. */
function firstClosingAfter(bars: readonly Bar[], at: Instant): number {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bars[middle]!.closedAt > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

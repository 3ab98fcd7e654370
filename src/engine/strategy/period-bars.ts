// Whole weeks and months as bars, and which of them is the newest that is over at each bar. Whether a bar is the last one of
// its week is known only once the next week has begun: until then the week is not looked at.
import type { BarSeries } from '../market/bar-series.ts';
import type { Period } from './definition.ts';
import { periodOf } from './schedule.ts';

export type PeriodBars = {
  readonly bars: BarSeries;
  /** For each bar of the source the newest period that was over when it closed; -1 before the first. */
  readonly lastOver: Int32Array;
};

/** The first period may be cut off by the beginning of the history; it counts as it is. */
export function periodBars(source: BarSeries, period: Period): PeriodBars {
  const { length } = source;
  const lastOver = new Int32Array(length);
  const starts: number[] = [];
  let before = Number.NaN;
  for (let i = 0; i < length; i++) {
    const now = periodOf(period, source.closedAt[i]!);
    if (now !== before) starts.push(i);
    before = now;
    // The one that this bar belongs to is not over.
    lastOver[i] = starts.length - 2;
  }
  const count = Math.max(0, starts.length - 1);
  const column = () => new Float64Array(count);
  const bars = {
    symbol: source.symbol,
    interval: source.interval,
    length: count,
    closedAt: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
  for (let p = 0; p < count; p++) writePeriod(bars, p, source, { first: starts[p]!, end: starts[p + 1]! });
  return { bars, lastOver };
}

/** A column over periods as seen at each bar of the source. */
export function spreadOverBars(column: Float64Array, lastOver: Int32Array): Float64Array {
  return Float64Array.from(lastOver, (period) => (period < 0 ? Number.NaN : column[period]!));
}

/** The bars from `first` up to, not including, `end` as one. */
function writePeriod(
  bars: BarSeries,
  place: number,
  source: BarSeries,
  { first, end }: { readonly first: number; readonly end: number },
): void {
  let [high, low, volume] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  for (let i = first; i < end; i++) {
    high = Math.max(high, source.high[i]!);
    low = Math.min(low, source.low[i]!);
    volume += source.volume[i]!;
  }
  bars.closedAt[place] = source.closedAt[end - 1]!;
  bars.open[place] = source.open[first]!;
  bars.high[place] = high;
  bars.low[place] = low;
  bars.close[place] = source.close[end - 1]!;
  bars.volume[place] = volume;
}

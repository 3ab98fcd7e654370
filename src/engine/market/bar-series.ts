// Bars of one instrument as columns, oldest first: what indicators and the backtest read.
import type { Symbol } from '#units/identifiers.ts';
import type { CorporateAction } from './corporate-action.ts';
import type { Bar, BarInterval, IntradayInterval } from './instrument.ts';

export type BarSeries = {
  readonly symbol: Symbol;
  readonly interval: BarInterval | IntradayInterval;
  readonly length: number;
  /** Instants (UTC ms) at which the bars close; strictly ascending. */
  readonly closedAt: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** How many bars an ordinary session has; absent where a bar is a day. */
  readonly barsPerDay?: number;
  /** Splits and dividends of the time of these raw bars, oldest first; absent where there were none. */
  readonly actions?: readonly CorporateAction[];
};

/** Columns from bars. Throws RangeError when the bars are not in strictly ascending order of closedAt. */
export function barSeries(symbol: Symbol, interval: BarSeries['interval'], bars: readonly Bar[]): BarSeries {
  const column = (pick: (bar: Bar) => number) => Float64Array.from(bars, pick);
  const closedAt = column((bar) => bar.closedAt);
  for (let i = 1; i < closedAt.length; i++) {
    if (closedAt[i]! <= closedAt[i - 1]!) throw new RangeError(`bars of ${symbol} out of order at ${i}`);
  }
  return {
    symbol,
    interval,
    length: bars.length,
    closedAt,
    open: column((bar) => bar.open),
    high: column((bar) => bar.high),
    low: column((bar) => bar.low),
    close: column((bar) => bar.close),
    volume: column((bar) => bar.volume),
  };
}

/** The same series with newer bars appended. Throws RangeError when they do not come after its last. */
export function appendBars(series: BarSeries, bars: readonly Bar[]): BarSeries {
  const fresh = barSeries(series.symbol, series.interval, bars);
  const [first, last] = [fresh.closedAt[0], series.closedAt.at(-1)];
  if (first === undefined) return series;
  if (last !== undefined && first <= last)
    throw new RangeError(`bars of ${series.symbol} out of order at ${series.length}`);
  const joined = (older: Float64Array, newer: Float64Array) => {
    const column = new Float64Array(older.length + newer.length);
    column.set(older);
    column.set(newer, older.length);
    return column;
  };
  return {
    ...series,
    length: series.length + fresh.length,
    closedAt: joined(series.closedAt, fresh.closedAt),
    open: joined(series.open, fresh.open),
    high: joined(series.high, fresh.high),
    low: joined(series.low, fresh.low),
    close: joined(series.close, fresh.close),
    volume: joined(series.volume, fresh.volume),
  };
}

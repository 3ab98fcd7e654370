// A feature held between two bars of its instrument: strategy/feature-column.ts one bar at a time.
import type { Indicator, PriceName } from '../definition.ts';
import { monthsBefore, tradingDay } from '../trading-day.ts';
import {
  type Cursor,
  DeviationCursor,
  ExtremeCursor,
  MeanCursor,
  SmoothedCursor,
  StrengthCursor,
  WeightedCursor,
} from './cursors.ts';
import type { GrowingBars } from './growing-bars.ts';
import { GrowingColumn } from './growing-column.ts';

/** Null where a feature can only be computed over whole columns. */
export function featureCursor(feature: Indicator, bars: GrowingBars, periodsPerYear: number): Cursor | null {
  const { close, high, low } = bars.columns;
  const of = 'of' in feature && feature.of !== undefined ? feature.of : ('close' satisfies PriceName);
  const source = bars.columns[of];
  switch (feature.indicator) {
    case 'sma':
      return new MeanCursor(source, feature.length);
    case 'ema':
      return new SmoothedCursor(source, feature.length, 2 / (feature.length + 1));
    case 'wma':
      return new WeightedCursor(source, feature.length);
    case 'zscore':
      return zScoreCursor(source, feature.length);
    case 'rsi':
      return new StrengthCursor(source, feature.length);
    case 'roc':
      return { next: () => changeOver(source, feature.length) };
    case 'highest':
      return new ExtremeCursor(source, feature.length, 1);
    case 'lowest':
      return new ExtremeCursor(source, feature.length, -1);
    case 'atr': {
      const range = derived(() => trueRangeNow(bars));
      const average = new SmoothedCursor(range.column, feature.length, 1 / feature.length);
      return chained(range.push, average);
    }
    case 'volatility':
      return volatilityCursor(close, feature.length, periodsPerYear);
    case 'donchian':
      return donchianCursor(high, low, feature);
    case 'bollinger': {
      const deviation = new DeviationCursor(close, feature.length, 'population');
      return { next: () => band(deviation.next() * feature.deviations, deviation.mean, feature.output) };
    }
    case 'macd':
      return macdCursor(close, feature);
    case 'stochastic':
      return stochasticCursor(bars, feature);
    case 'month_return':
      return monthReturnCursor(bars, feature);
    case 'adx':
    case 'correlation':
      return null;
  }
}

/** Annualised, as weights use it. */
export function volatilityCursor(close: GrowingColumn, length: number, periodsPerYear: number): Cursor {
  const year = Math.sqrt(periodsPerYear);
  const returns = derived(() => changeOver(close, 1));
  const deviation = new DeviationCursor(returns.column, length, 'sample');
  return chained(returns.push, { next: () => deviation.next() * year });
}

type Derived = { readonly column: GrowingColumn; readonly push: () => void };

/** A column of another's making: pushed to once a bar, before whatever reads it. */
function derived(valueNow: () => number): Derived {
  const column = new GrowingColumn();
  return { column, push: () => column.push(valueNow()) };
}

function chained(before: () => void, cursor: Cursor): Cursor {
  return {
    next: () => {
      before();
      return cursor.next();
    },
  };
}

function changeOver({ values, length }: GrowingColumn, window: number): number {
  const last = length - 1;
  return last < window ? Number.NaN : values[last]! / values[last - window]! - 1;
}

function trueRangeNow({ columns: { high, low, close }, length }: GrowingBars): number {
  if (length < 2) return Number.NaN;
  const before = close.values[length - 2]!;
  const top = high.values[length - 1]!;
  const bottom = low.values[length - 1]!;
  return Math.max(top - bottom, Math.abs(top - before), Math.abs(bottom - before));
}

function zScoreCursor(source: GrowingColumn, window: number): Cursor {
  const cursor = new DeviationCursor(source, window, 'population');
  return {
    next: () => {
      const deviation = cursor.next();
      if (Number.isNaN(cursor.mean)) return Number.NaN;
      return deviation === 0 ? 0 : (source.values[source.length - 1]! - cursor.mean) / deviation;
    },
  };
}

type Of<Name extends Indicator['indicator']> = Extract<Indicator, { indicator: Name }>;

function donchianCursor(high: GrowingColumn, low: GrowingColumn, { length, output }: Of<'donchian'>): Cursor {
  const top = new ExtremeCursor(high, length, 1);
  const bottom = new ExtremeCursor(low, length, -1);
  let upper = Number.NaN;
  let lower = Number.NaN;
  return {
    next: () => {
      // The bars before this one: a close can break the channel.
      const prior = { upper, lower, middle: (upper + lower) / 2 }[output];
      upper = top.next();
      lower = bottom.next();
      return prior;
    },
  };
}

function band(half: number, mean: number, output: Of<'bollinger'>['output']): number {
  if (output === 'middle') return mean;
  return output === 'upper' ? mean + half : mean - half;
}

function macdCursor(close: GrowingColumn, { fast, slow, signal, output }: Of<'macd'>): Cursor {
  const fastMean = new SmoothedCursor(close, fast, 2 / (fast + 1));
  const slowMean = new SmoothedCursor(close, slow, 2 / (slow + 1));
  const line = derived(() => fastMean.next() - slowMean.next());
  const smoothed = new SmoothedCursor(line.column, signal, 2 / (signal + 1));
  return {
    next: () => {
      line.push();
      const now = line.column.values[line.column.length - 1]!;
      const average = smoothed.next();
      return { line: now, signal: average, histogram: now - average }[output];
    },
  };
}

function stochasticCursor(bars: GrowingBars, { length, smooth, signal, output }: Of<'stochastic'>): Cursor {
  const { high, low, close } = bars.columns;
  const top = new ExtremeCursor(high, length, 1);
  const bottom = new ExtremeCursor(low, length, -1);
  const raw = derived(() => {
    const highest = top.next();
    const lowest = bottom.next();
    const range = highest - lowest;
    return range === 0 ? 50 : (100 * (close.values[close.length - 1]! - lowest)) / range;
  });
  const mean = new MeanCursor(raw.column, smooth);
  const k = derived(() => mean.next());
  const d = new MeanCursor(k.column, signal);
  return {
    next: () => {
      raw.push();
      k.push();
      const average = d.next();
      return output === 'd' ? average : k.column.values[k.column.length - 1]!;
    },
  };
}

function monthReturnCursor({ columns }: GrowingBars, { months, skip }: Of<'month_return'>): Cursor {
  const { closedAt, close } = columns;
  const days = derived(() => tradingDay(closedAt.values[closedAt.length - 1]!));
  let first = 0;
  let last = -1;
  return {
    next: () => {
      days.push();
      const { values, length } = days.column;
      const until = monthsBefore(values[length - 1]!, skip);
      const from = monthsBefore(until, months);
      while (first < length && values[first]! < from) first++;
      while (last + 1 < length && values[last + 1]! <= until) last++;
      if (values[0]! > from || first > last) return Number.NaN;
      return close.values[last]! / close.values[first]! - 1;
    },
  };
}

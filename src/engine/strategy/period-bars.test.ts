import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSeries } from '#tests/support/engine/random-market.ts';
import { type Instant, instantOfDate } from '#units/instant.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { closedBy } from './evaluate.ts';
import { featureColumn } from './feature-column.ts';
import type { Feature } from './definition.ts';
import { periodBars } from './period-bars.ts';

/** From a Monday on, a bar each weekday. */
function weekdays(prices: readonly number[]): BarSeries {
  const close = Float64Array.from(prices);
  const closedAt = Float64Array.from(prices, (_, i) => {
    const day = Math.floor(i / 5) * 7 + (i % 5);
    return instantOfDate('2024-01-01') + day * 86_400_000 + 75_600_000;
  });
  const high = close.map((price) => price + 1);
  const low = close.map((price) => price - 1);
  const columns = { open: close, high, low, close, volume: close };
  return { symbol: 'AAA' as Symbol, interval: '1d', length: close.length, closedAt, ...columns };
}

describe('weeks as bars', () => {
  const prices = [10, 12, 9, 11, 13, 20, 22, 19, 21, 23, 30];

  it('are whole ones: the first opens, the last closes, volume adds up', () => {
    const { bars } = periodBars(weekdays(prices), 'week');
    expect(bars).toMatchObject({
      length: 2,
      open: Float64Array.of(10, 20),
      high: Float64Array.of(14, 24),
      low: Float64Array.of(8, 18),
      close: Float64Array.of(13, 23),
      volume: Float64Array.of(55, 105),
    });
  });

  it('count from the first bar of the week after, not on their own last one', () => {
    const { lastOver } = periodBars(weekdays(prices), 'week');
    expect([...lastOver]).toEqual([-1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 1]);
  });

  it('count in lengths and lags', () => {
    const bars = weekdays([...prices, 31, 32, 33, 34, 40]);
    const inputs = { series: new Map(), periodsPerYear: 252, features: {} };
    const mean = featureColumn({ indicator: 'sma', length: 2, every: 'week' }, bars, inputs);
    expect([...mean.subarray(9)]).toEqual([Number.NaN, 18, 18, 18, 18, 18, 28.5]);
    const before = featureColumn({ indicator: 'sma', length: 1, every: 'week', lag: 1 }, bars, inputs);
    expect([...before.subarray(9)]).toEqual([Number.NaN, 13, 13, 13, 13, 13, 23]);
  });
});

describe('what a feature of weeks or months says at a bar', () => {
  const FEATURES: readonly Feature[] = [
    { indicator: 'sma', length: 3, every: 'week' },
    { indicator: 'rsi', length: 4, every: 'week' },
    { indicator: 'volatility', length: 3, every: 'month' },
    { indicator: 'donchian', length: 2, output: 'upper', every: 'month' },
    { indicator: 'macd', fast: 2, slow: 4, signal: 2, output: 'line', every: 'week', lag: 1 },
  ];

  it('is the same whether later bars are known or not', () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.integer({ min: 1, max: 9_999 }),
          feature: fc.constantFrom(...FEATURES),
          gapEvery: fc.constantFrom(0, 3, 7),
          cut: fc.integer({ min: 1, max: 299 }),
        }),
        ({ seed, feature, gapEvery, cut }) => {
          const bars = randomSeries({ symbol: 'AAA', seed, bars: 300, gapEvery });
          const inputs = { series: new Map(), periodsPerYear: 252, features: {} };
          const whole = featureColumn(feature, bars, inputs);
          const bar = Math.min(cut, bars.length - 1);
          const known = closedBy(bars, bars.closedAt[bar]! as Instant);
          expect(featureColumn(feature, known, inputs)).toEqual(whole.slice(0, bar + 1));
        },
      ),
    );
  });
});

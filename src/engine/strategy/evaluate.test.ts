import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instantOfDate } from '#units/instant.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { randomSeries, seriesMap } from '#tests/support/engine/random-market.ts';
import { definitionOf } from '#tests/support/engine/sample-definitions.ts';
import { evaluate } from './evaluate.ts';

function closes(symbol: string, prices: readonly number[], from = '2024-01-30'): BarSeries {
  const close = Float64Array.from(prices);
  const closedAt = Float64Array.from(prices, (_, i) => instantOfDate(from) + i * 86_400_000 + 75_600_000);
  const columns = { open: close, high: close, low: close, close, volume: close };
  return { symbol: symbol as Symbol, interval: '1d', length: close.length, closedAt, ...columns };
}

function at(series: BarSeries, bar: number): Instant {
  return series.closedAt[bar]! as Instant;
}

describe('a target', () => {
  const above = definitionOf({
    universe: ['AAA'],
    features: { mean: { indicator: 'sma', length: 2 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 'mean' },
      exitLong: { op: 'below', left: 'close', right: 'mean' },
    },
  });

  it('follows entries and exits over the whole history, and says why', () => {
    const bars = closes('AAA', [10, 10, 11, 12, 11, 11]);
    const series = seriesMap(bars);
    const [before, entered, holds, left, stays] = [1, 2, 3, 4, 5].map((bar) =>
      evaluate(above, series, at(bars, bar)),
    );
    expect(before).toMatchObject({ weights: [], rebalance: false });
    expect(entered).toMatchObject({ weights: [{ symbol: 'AAA', weight: 1 }], rebalance: true });
    expect(holds).toMatchObject({ weights: [{ symbol: 'AAA', weight: 1 }], rebalance: false });
    expect(left).toMatchObject({ weights: [], rebalance: true });
    expect(stays).toMatchObject({ weights: [], rebalance: false });
    expect(holds!.receipt.instruments[0]).toMatchObject({
      symbol: 'AAA',
      close: 12,
      features: { mean: 11.5 },
      verdict: 'entered_long',
      decidedAt: at(bars, 2),
    });
  });

  it('knows nothing of a bar that has not closed', () => {
    const bars = closes('AAA', [10, 10, 11]);
    const early = evaluate(above, seriesMap(bars), (at(bars, 2) - 1) as Instant);
    expect(early).toMatchObject({ weights: [], asOf: at(bars, 1) });
  });

  it('has a hash that changes with what it says', () => {
    const bars = closes('AAA', [10, 10, 11, 12]);
    const hashes = [1, 2, 3].map((bar) => evaluate(above, seriesMap(bars), at(bars, bar)).hash);
    expect(new Set(hashes).size).toBe(3);
    expect(evaluate(above, seriesMap(bars), at(bars, 3)).hash).toBe(hashes[2]);
  });

  it('refuses to run without the bars that it reads', () => {
    expect(() => evaluate(above, new Map(), 0 as Instant)).toThrow('no bars given for AAA');
  });

  it('counts a signal of one market once while another market continues to close bars', () => {
    const definition = definitionOf({
      universe: ['AAA', 'BBB'],
      features: { mean: { indicator: 'sma', length: 2 } },
      rule: {
        type: 'signals',
        enterLong: { op: 'crosses_above', left: 'close', right: 'mean' },
      },
      exits: { maxBars: 1 },
    });
    const slow = randomSeries({ symbol: 'AAA', seed: 2, bars: 80, gapEvery: 2 });
    const fast = randomSeries({ symbol: 'BBB', seed: 3, bars: 80 });
    for (let bar = 20; bar < 80; bar++) {
      const target = evaluate(definition, seriesMap(slow, fast), fast.closedAt[bar]! as Instant);
      expect(target.weights.every(({ weight }) => weight === 0.5)).toBe(true);
    }
  });
});

describe('a monthly schedule', () => {
  it('is looked at on the first trading day of each month', () => {
    const definition = definitionOf({
      universe: ['AAA'],
      schedule: { every: 'month' },
      rule: { type: 'signals', enterLong: { op: 'above', left: 'close', right: 0 } },
    });
    const bars = closes(
      'AAA',
      Array.from({ length: 40 }, () => 10),
    );
    const traded = Array.from({ length: 40 }, (_, bar) =>
      evaluate(definition, seriesMap(bars), at(bars, bar)),
    )
      .filter(({ rebalance }) => rebalance)
      .map(({ asOf }) => new Date(asOf).toISOString().slice(0, 10));
    expect(traded).toEqual(['2024-02-01', '2024-03-01']);
  });
});

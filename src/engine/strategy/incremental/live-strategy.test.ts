import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { BarSeries } from '../../market/bar-series.ts';
import { randomSeries, seriesMap } from '#tests/support/engine/random-market.ts';
import {
  definitionOf,
  SAMPLE_DEFINITIONS,
  SAMPLE_SYMBOLS,
} from '#tests/support/engine/sample-definitions.ts';
import type { StrategyDefinition } from '../definition.ts';
import { evaluate } from '../evaluate.ts';
import type { BarPrices } from './growing-bars.ts';
import { LiveStrategy } from './live-strategy.ts';

const above = (left: string, right: string | number) => ({ op: 'above', left, right });

/** A rule of every indicator that is followed, so that each one's bits decide something. */
const EVERY_INDICATOR = [
  [{ indicator: 'sma', length: 7, of: 'high' }, above('close', 'x')],
  [{ indicator: 'ema', length: 9, lag: 2 }, above('close', 'x')],
  [{ indicator: 'wma', length: 6 }, above('close', 'x')],
  [{ indicator: 'zscore', length: 12 }, above('x', 0.5)],
  [{ indicator: 'rsi', length: 5 }, above('x', 55)],
  [{ indicator: 'roc', length: 4 }, above('x', 0)],
  [
    { indicator: 'highest', length: 6 },
    { op: 'at_least', left: 'close', right: 'x' },
  ],
  [
    { indicator: 'lowest', length: 6 },
    { op: 'not', of: { op: 'at_most', left: 'close', right: 'x' } },
  ],
  [{ indicator: 'atr', length: 5 }, above('x', 1.5)],
  [
    { indicator: 'volatility', length: 8 },
    { op: 'below', left: 'x', right: 0.2 },
  ],
  [{ indicator: 'donchian', length: 5, output: 'middle' }, above('close', 'x')],
  [{ indicator: 'bollinger', length: 10, deviations: 1, output: 'upper' }, above('close', 'x')],
  [
    { indicator: 'macd', fast: 3, slow: 8, signal: 4, output: 'histogram' },
    { op: 'crosses_above', left: 'x', right: 0 },
  ],
  [{ indicator: 'stochastic', length: 6, smooth: 2, signal: 3, output: 'd' }, above('x', 50)],
].map(([feature, condition]) =>
  definitionOf({
    universe: SAMPLE_SYMBOLS,
    features: { x: feature },
    rule: { type: 'signals', enterLong: condition, exitLong: { op: 'not', of: condition } },
    weighting: { type: 'inverse_volatility', length: 5 },
  }),
);

const { trend, longShort, reversion, breakout, momentum, pairs } = SAMPLE_DEFINITIONS;
const FOLLOWED = [trend!, longShort!, reversion!, breakout!, momentum!, ...EVERY_INDICATOR];

const inputs = fc.record({
  definition: fc.constantFrom(...FOLLOWED),
  seed: fc.integer({ min: 1, max: 100_000 }),
  swing: fc.constantFrom(0.002, 0.03, 0.08),
  gaps: fc.boolean(),
});

it('gives at every close the target of a full evaluation, bit for bit', () => {
  let rebalances = 0;
  fc.assert(
    fc.property(inputs, ({ definition, seed, swing, gaps }) => {
      const series = SAMPLE_SYMBOLS.map((symbol, i) =>
        randomSeries({ symbol, seed: seed * 10 + i, bars: 130, swing, gapEvery: gaps ? 5 + i : 0 }),
      );
      for (const { asOf, weights, rebalance } of targetsOf(definition, series)) {
        const whole = evaluate(definition, seriesMap(...series), asOf);
        expect({ asOf, weights, rebalance }).toEqual({
          asOf: whole.asOf,
          weights: whole.weights,
          rebalance: whole.rebalance,
        });
        if (rebalance) rebalances++;
      }
    }),
    { numRuns: 80 },
  );
  expect(rebalances).toBeGreaterThan(300);
});

it('stays exact over sums that are taken anew after hundreds of bars', () => {
  const series = SAMPLE_SYMBOLS.map((symbol, i) => randomSeries({ symbol, seed: 70 + i, bars: 1_300 }));
  for (const definition of [trend!, EVERY_INDICATOR[0]!]) {
    const targets = targetsOf(definition, series);
    for (const at of [511, 512, 530, 531, 1_023, 1_299]) {
      const { asOf, weights, rebalance } = targets[at]!;
      expect(evaluate(definition, seriesMap(...series), asOf)).toMatchObject({ asOf, weights, rebalance });
    }
  }
});

it('refuses at the start what it cannot follow', () => {
  expect(LiveStrategy.of(pairs!)).toBe(null);
  const other = definitionOf({
    universe: ['AAA'],
    features: { x: { indicator: 'sma', length: 3, symbol: 'BBB' } },
    rule: { type: 'signals', enterLong: above('close', 'x') },
  });
  expect(LiveStrategy.of(other)).toBe(null);
});

it('takes no close twice and none out of order', () => {
  const live = LiveStrategy.of(trend!)!;
  live.close(2 as Instant, new Map());
  expect(() => live.close(2 as Instant, new Map())).toThrow('in their order');
});

function targetsOf(definition: StrategyDefinition, series: readonly BarSeries[]) {
  const live = LiveStrategy.of(definition);
  if (live === null) throw new Error(`${definition.name} is not followed`);
  const closes = [...new Set(series.flatMap((bars) => [...bars.closedAt]))].sort((one, other) => one - other);
  return closes.map((closedAt) => {
    const bars = new Map<Symbol, BarPrices>();
    for (const one of series) {
      const i = one.closedAt.indexOf(closedAt);
      if (i >= 0) bars.set(one.symbol, barOf(one, i));
    }
    return live.close(closedAt as Instant, bars);
  });
}

function barOf(series: BarSeries, i: number): BarPrices {
  const { closedAt, open, high, low, close, volume } = series;
  return {
    closedAt: closedAt[i]! as Instant,
    open: open[i]!,
    high: high[i]!,
    low: low[i]!,
    close: close[i]!,
    volume: volume[i]!,
  };
}

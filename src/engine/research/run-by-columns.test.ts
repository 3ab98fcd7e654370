import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { equityInstrument, randomSeries, seriesMap } from '#tests/support/engine/random-market.ts';
import { definitionOf } from '#tests/support/engine/sample-definitions.ts';
import type { ResearchInput, ResearchResult } from './execution.ts';
import { runByColumns } from './run-by-columns.ts';
import { runByEvents } from './run-by-events.ts';

const features = {
  fast: { indicator: 'sma', length: 3 },
  slow: { indicator: 'sma', length: 8 },
  opens: { indicator: 'sma', length: 6, of: 'open' },
  rsi: { indicator: 'rsi', length: 4 },
};

const up = { op: 'crosses_above', left: 'fast', right: 'slow' };
const down = { op: 'crosses_below', left: 'fast', right: 'slow' };
const openUp = { op: 'crosses_above', left: 'fast', right: 'opens' };
const openDown = { op: 'crosses_below', left: 'fast', right: 'opens' };
const rsiUp = { op: 'crosses_above', left: 'rsi', right: 'slow' };
const rsiDown = { op: 'crosses_below', left: 'rsi', right: 'slow' };
const low = { op: 'below', left: 'rsi', right: 40 };
const high = { op: 'above', left: 'rsi', right: 60 };

const RULES = [
  { direction: 'long', rule: { type: 'signals', enterLong: up, exitLong: down } },
  { direction: 'long', rule: { type: 'signals', enterLong: openUp, exitLong: openDown } },
  { direction: 'long_short', rule: { type: 'signals', enterLong: rsiUp, enterShort: rsiDown } },
  { direction: 'long', rule: { type: 'signals', enterLong: low, exitLong: high } },
  { direction: 'long_short', rule: { type: 'signals', enterLong: up, enterShort: down } },
  { direction: 'long_short', rule: { type: 'signals', enterLong: low, enterShort: high } },
  {
    direction: 'long_short',
    rule: { type: 'signals', enterLong: low, exitLong: up, enterShort: high, exitShort: down },
  },
];

const inputs = fc.record({
  seed: fc.integer({ min: 1, max: 100_000 }),
  rule: fc.constantFrom(...RULES),
  exits: fc.constantFrom(
    {},
    { stopPercent: 2 },
    { targetPercent: 3 },
    { stopPercent: 1, targetPercent: 1.5 },
  ),
  fill: fc.constantFrom('next_open' as const, 'same_close' as const),
  repeatedSignal: fc.constantFrom('ignored' as const, 'reopens' as const),
  fixed: fc.boolean(),
  spreadRate: fc.constantFrom(0, 0.0007),
  // Prices on few steps make means that are equal, or differ by a rounding only.
  step: fc.constantFrom(0, 0.1, 1, 4),
  bars: fc.constantFrom(300, 300, 1_400, 9, 8, 7, 0),
});

it('gives the same bits as the run by events, whatever the rule and the execution', () => {
  let trades = 0;
  fc.assert(
    fc.property(inputs, ({ seed, rule, exits, fill, repeatedSignal, fixed, spreadRate, step, bars }) => {
      const input: ResearchInput = {
        definition: definitionOf({ universe: ['AAA'], features, exits, ...rule }),
        series: seriesMap(onSteps(randomSeries({ symbol: 'AAA', seed, bars, swing: 0.04 }), step)),
        instrument: equityInstrument('AAA'),
        execution: {
          initialCash: toMicro(10_000),
          commissionRate: 0.001,
          spreadRate,
          fill,
          size: fixed ? { type: 'fixed', quantity: toQuantity(20) } : { type: 'all_cash' },
          repeatedSignal,
        },
      };
      const byColumns = plain(runByColumns(input));
      expect(byColumns).toEqual(plain(runByEvents(input)));
      trades += byColumns.trades.length;
    }),
    { numRuns: 300 },
  );
  expect(trades).toBeGreaterThan(1_000);
});

function onSteps(series: BarSeries, step: number): BarSeries {
  if (step === 0) return series;
  const stepped = (column: Float64Array) =>
    column.map((price) => Math.max(step, Math.round(price / step) * step));
  const { open, high, low: lows, close } = series;
  return { ...series, open: stepped(open), high: stepped(high), low: stepped(lows), close: stepped(close) };
}

function plain({ equity, fills, trades, finalEquity, maxDrawdown }: ResearchResult) {
  return { equity, fills: fills.columns(), trades: trades.list(), finalEquity, maxDrawdown };
}

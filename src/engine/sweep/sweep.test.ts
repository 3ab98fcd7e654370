import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import type { Execution } from '../research/execution.ts';
import { runByColumns } from '../research/run-by-columns.ts';
import { equityInstrument, randomSeries, seriesMap } from '#tests/support/engine/random-market.ts';
import { errorOfSet, planSweep } from './plan-sweep.ts';
import { Sweep } from './sweep.ts';
import { variantDefinition } from './variant-definition.ts';

const up = { op: 'crosses_above', left: 'fast', right: 'slow' };
const down = { op: 'crosses_below', left: 'fast', right: 'slow' };
const low = { op: 'below', left: 'rsi', right: 40 };
const high = { op: 'above', left: 'rsi', right: 60 };

const RULES = [
  { direction: 'long', rule: { type: 'signals', enterLong: up, exitLong: down } },
  { direction: 'long', rule: { type: 'signals', enterLong: low, exitLong: high } },
  { direction: 'long_short', rule: { type: 'signals', enterLong: up, enterShort: down } },
  { direction: 'long_short', rule: { type: 'signals', enterShort: down, exitShort: up } },
  {
    direction: 'long_short',
    rule: { type: 'signals', enterLong: up, exitLong: down, enterShort: down, exitShort: up },
  },
  {
    direction: 'long_short',
    rule: { type: 'signals', enterLong: low, exitLong: up, enterShort: high, exitShort: down },
  },
];

const inputs = fc.record({
  seed: fc.integer({ min: 1, max: 100_000 }),
  rule: fc.constantFrom(...RULES),
  exits: fc.constantFrom({}, {}, { stopPercent: 2, targetPercent: 3 }),
  fill: fc.constantFrom('next_open' as const, 'same_close' as const),
  repeatedSignal: fc.constantFrom('ignored' as const, 'reopens' as const),
  fixed: fc.boolean(),
  cash: fc.constantFrom(10_000, 1_000, 2e9),
  swing: fc.constantFrom(0.005, 0.04),
  bars: fc.constantFrom(300, 299, 12, 1, 0),
});

it('gives each variant the bits of a run of its own, whatever the rule and the execution', () => {
  let trades = 0;
  fc.assert(
    fc.property(inputs, ({ seed, rule, exits, fill, repeatedSignal, fixed, cash, swing, bars }) => {
      const planned = planSweep(
        {
          language: 'bellwether-strategy/1',
          name: 'Sweep',
          universe: ['AAA'],
          benchmark: 'AAA',
          features,
          exits,
          ...rule,
        },
        SETS,
      );
      if (!planned.ok) throw new Error(JSON.stringify(planned.errors));
      const series = seriesMap(randomSeries({ symbol: 'AAA', seed, bars, swing }));
      const execution: Execution = {
        initialCash: toMicro(cash),
        commissionRate: 0.001,
        spreadRate: 0.0007,
        fill,
        size: fixed ? { type: 'fixed', quantity: toQuantity(20) } : { type: 'all_cash' },
        repeatedSignal,
      };
      const terms = { series, instrument: equityInstrument('AAA'), execution };
      const swept = new Sweep({ features: planned.plan.features, ...terms }).run(planned.plan.variants);
      planned.plan.variants.forEach(({ definition }, i) => {
        const alone = runByColumns({ definition, ...terms });
        const { fills, finalEquity, maxDrawdown } = alone;
        expect([swept.fills[i], swept.trades[i], swept.finalEquity[i], swept.maxDrawdown[i]]).toEqual([
          fills.count,
          alone.trades.count,
          finalEquity,
          maxDrawdown,
        ]);
        trades += alone.trades.count;
      });
    }),
    { numRuns: 500 },
  );
  expect(trades).toBeGreaterThan(5_000);
});

it('computes a feature once however many variants read it', () => {
  const planned = planSweep(template, SETS);
  expect(planned.ok && planned.plan.features.length).toBe(4);
});

it('names the set and the place that cannot be swept', () => {
  const planned = planSweep(template, [{ 'features.fast.length': 3 }, { 'features.fast.size': 3 }]);
  expect(planned.ok ? [] : planned.errors).toEqual([
    { path: 'sets.1.features.fast.size', message: 'names no number of the definition' },
  ]);
  const negative = planSweep(template, [{ 'features.fast.length': -3 }]);
  expect(negative.ok ? '' : negative.errors[0]?.path).toBe('sets.0.features.fast.length');
});

const features = {
  fast: { indicator: 'sma', length: 3 },
  slow: { indicator: 'sma', length: 8 },
  rsi: { indicator: 'rsi', length: 4 },
};

const template = {
  language: 'bellwether-strategy/1',
  name: 'Sweep',
  universe: ['AAA'],
  benchmark: 'AAA',
  features,
  ...RULES[0],
};

const SETS = [
  { 'features.fast.length': 3, 'features.slow.length': 8 },
  { 'features.fast.length': 2, 'features.slow.length': 8 },
  { 'features.fast.length': 3, 'features.slow.length': 3 },
];

it('plans features once and yet as if each set were parsed alone, errors and all', () => {
  const numbers = fc.constantFrom(2, 3, 8, 0, 4_000, 2.5);
  const set = fc.record(
    {
      'features.fast.length': numbers,
      'features.slow.length': numbers,
      'features.nothing.length': numbers,
      'rule.enterLong.right': fc.constantFrom(1, 2),
      gross: fc.constantFrom(0.5, 7),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(set, { maxLength: 12 }), fc.boolean(), (sets, isCross) => {
      const given = isCross
        ? template
        : { ...template, rule: { type: 'signals', enterLong: { ...low, left: 'rsi' } } };
      const planned = planSweep(given, sets);
      const alone = sets.map((one) => variantDefinition(given, one));
      expect(planned.ok).toBe(alone.every(({ ok }) => ok));
      if (planned.ok) {
        const definitions = planned.plan.variants.map(({ definition }) => definition);
        expect(definitions).toEqual(alone.map((one) => one.ok && one.definition));
      } else {
        const errors = alone.flatMap((one, i) =>
          one.ok ? [] : one.errors.map((error) => errorOfSet(error, i)),
        );
        const known = new Set(errors.map(({ path, message }) => `${path} ${message}`));
        for (const { path, message } of planned.errors) expect(known).toContain(`${path} ${message}`);
        expect(planned.errors.length).toBeGreaterThanOrEqual(Math.min(20, errors.length));
      }
    }),
    { numRuns: 200 },
  );
});

import { expect, test } from 'vitest';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { MARKET } from '#tests/descriptions/example-market.ts';
import { keepTuned } from './keep-tuned.ts';
import { readStrategy } from './reading/read-strategy.ts';

const DESCRIPTION = 'Hold SPY while it is above its 50-day average, stop loss 8%';
const read = (...further: readonly string[]): StrategyDefinition => {
  const { definition } = readStrategy({ messages: [DESCRIPTION, ...further], answers: [] }, MARKET);
  if (definition === null) throw new Error(`not understood: ${further.join()}`);
  return definition;
};
const before = read();
const now: StrategyDefinition = {
  ...before,
  features: { average: { indicator: 'sma', length: 63 } },
  exits: { stopPercent: 5 },
};

test('numbers that were moved by hand stay where the new sentences do not speak of them', () => {
  expect(keepTuned({ before, now, next: read('weekly') })).toEqual({ ...now, schedule: { every: 'week' } });
});

test('a sentence that speaks of a number has the last word about it, and about no other', () => {
  expect(keepTuned({ before, now, next: read('stop loss 12%') })).toEqual({
    ...now,
    exits: { stopPercent: 12 },
  });
});

test('a part that is gone takes its number with it', () => {
  expect(keepTuned({ before, now, next: read('no stop loss') }).exits).toEqual({});
});

test('what was added by hand to the whole rule stays, with the features that it reads', () => {
  const added: StrategyDefinition = {
    ...before,
    features: { ...before.features, market: { indicator: 'sma', length: 200 } },
    regime: {
      symbol: before.universe[0]!,
      when: { op: 'above', left: 'close', right: 'market' },
      otherwise: { type: 'cash' },
    },
    band: { percent: 3 },
  };
  expect(keepTuned({ before, now: added, next: read('weekly') })).toEqual({
    ...added,
    schedule: { every: 'week' },
  });
});

test('a period that was chosen by hand stays, and so does a size that no sentence speaks of', () => {
  const [name] = Object.keys(before.features);
  const weekly: StrategyDefinition = {
    ...before,
    features: { [name!]: { indicator: 'sma', length: 40, every: 'week' } },
    weighting: { type: 'inverse_volatility', length: 20 },
  };
  expect(keepTuned({ before, now: weekly, next: read('stop loss 12%') })).toEqual({
    ...weekly,
    exits: { stopPercent: 12 },
  });
});

test('conditions that were changed by hand stay until a sentence speaks of the rule', () => {
  const own: StrategyDefinition = {
    ...before,
    universe: [...before.universe, 'QQQ' as StrategyDefinition['benchmark']],
    features: { ...before.features, figure_1: { indicator: 'roc', length: 20 } },
    rule: { type: 'signals', enterLong: { op: 'above', left: 'figure_1', right: 0.02 } },
  };
  expect(keepTuned({ before, now: own, next: read('weekly') })).toEqual({
    ...own,
    schedule: { every: 'week' },
  });
  const next = read('stop loss 12%');
  expect(keepTuned({ before, now: own, next })).toEqual({ ...own, exits: { stopPercent: 12 } });
});

import { expect, it } from 'vitest';
import { definitionOf, SAMPLE_DEFINITIONS } from '#tests/support/engine/sample-definitions.ts';
import { ruleKinds } from './rule-kinds.ts';

const features = {
  fast: { indicator: 'sma', length: 5 },
  slow: { indicator: 'sma', length: 20 },
  stretch: { indicator: 'rsi', length: 14 },
};
const crosses = { op: 'crosses_above', left: 'fast', right: 'slow' };
const stretched = { op: 'below', left: 'stretch', right: 30 };
const signals = (enterLong: object, more: object = {}) =>
  definitionOf({ universe: ['AAA'], features, rule: { type: 'signals', enterLong }, ...more });

it.each([
  ['another number', signals(crosses, { features: { ...features, fast: { indicator: 'sma', length: 6 } } })],
  ['another symbol', signals(crosses, { universe: ['BBB'] })],
  ['another name', signals(crosses, { name: 'Quite another' })],
  ['another average', signals(crosses, { features: { ...features, fast: { indicator: 'ema', length: 5 } } })],
  ['another way to weigh', signals(crosses, { weighting: { type: 'inverse_volatility', length: 20 } })],
  ['a feature that nothing reads', signals({ op: 'above', left: 'close', right: 'slow' })],
])('twins with %s are of one kind', (_, twin) => {
  expect(ruleKinds(twin)).toEqual(ruleKinds(signals(crosses)));
});

it('a rule that counts in place of another, and a size by conviction, hide no kind', () => {
  const always = { op: 'above', left: 'close', right: 0 };
  const hidden = signals(always, {
    regime: {
      symbol: 'AAA',
      when: { op: 'below', left: 'close', right: 0 },
      otherwise: { type: 'signals', enterLong: crosses },
    },
  });
  expect(ruleKinds(hidden)).toEqual(['trend']);
  expect(ruleKinds(signals(always, { weighting: { type: 'conviction', by: 'stretch' } }))).toEqual([
    'reversion',
  ]);
});

it('the order of conditions does not matter', () => {
  const [one, other] = [
    [crosses, stretched],
    [stretched, crosses],
  ].map((of) => ruleKinds(signals({ op: 'all', of })));
  expect(one).toEqual(other);
});

it('a further condition adds a kind, and takes none away', () => {
  expect(ruleKinds(signals(crosses))).toEqual(['trend']);
  expect(ruleKinds(signals({ op: 'all', of: [crosses, { op: 'not', of: stretched }] }))).toEqual([
    'trend',
    'reversion',
  ]);
});

it('names the kinds of every rule that can be written', () => {
  const kinds = Object.entries(SAMPLE_DEFINITIONS).map(([name, one]) => [name, ruleKinds(one)]);
  expect(Object.fromEntries(kinds)).toEqual({
    trend: ['trend'],
    longShort: ['trend'],
    reversion: ['trend', 'reversion'],
    breakout: ['breakout'],
    momentum: ['momentum'],
    pairs: ['pairs'],
    arithmetic: ['trend'],
    regime: ['trend', 'momentum', 'breakout'],
    basket: ['trend'],
    hedgedPairs: ['pairs'],
  });
  expect(ruleKinds(signals({ op: 'above', left: 'close', right: 10 }))).toEqual(['price']);
});

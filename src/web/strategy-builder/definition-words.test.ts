import { expect, test } from 'vitest';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { variantDefinition } from '#engine/backtest/variants.ts';
import { describeDefinition } from './describe-definition.ts';
import { tunableNumbers, valuesAround } from './tunable-numbers.ts';

function definitionOf(change: object) {
  const parsed = parseDefinition({
    language: 'bellwether-strategy/1',
    name: 'Test',
    universe: ['AAA', 'BBB'],
    benchmark: 'AAA',
    features: { stretch: { indicator: 'zscore', length: 20 }, trend: { indicator: 'sma', length: 200 } },
    rule: {
      type: 'signals',
      enterLong: {
        op: 'all',
        of: [
          { op: 'below', left: 'stretch', right: -2 },
          { op: 'above', left: 'close', right: 'trend' },
        ],
      },
      exitLong: { op: 'at_least', left: 'stretch', right: 0 },
    },
    weighting: { type: 'volatility_target', length: 63, annualPercent: 9, over: 'universe' },
    exits: { stopPercent: 8 },
    ...change,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.definition;
}

test('rules read as sentences', () => {
  const lines = describeDefinition(definitionOf({}));
  expect(Object.fromEntries(lines.map(({ title, text }) => [title, text]))).toMatchObject({
    Trades: 'AAA, BBB',
    Checked: 'Every trading day, after the close',
    'Buys when':
      'The distance from the 20-day average in standard deviations is below -2 and the close is above the 200-day average',
    'Sells when': 'The distance from the 20-day average in standard deviations is at least 0',
    Stop: 'Closes a position that has lost 8% since entry',
  });
});

test('bars shorter than a day are named', () => {
  const lines = describeDefinition(definitionOf({ interval: '15m', schedule: { every: 'bars', count: 4 } }));
  expect(Object.fromEntries(lines.map(({ title, text }) => [title, text]))).toMatchObject({
    Bars: 'Of 15 minutes: each day named in the rules is one such bar',
    Checked: 'Every 4 bars, after the close',
  });
});

test('every number that can be moved is at its place, and a zero is none', () => {
  const definition = definitionOf({});
  const numbers = tunableNumbers(definition);
  expect(numbers.map(({ path, value }) => [path, value])).toEqual([
    ['features.stretch.length', 20],
    ['features.trend.length', 200],
    ['rule.enterLong.of.0.right', -2],
    ['weighting.annualPercent', 9],
    ['weighting.length', 63],
    ['exits.stopPercent', 8],
  ]);
  for (const number of numbers) {
    for (const value of [number.min, number.max, ...valuesAround(number)])
      expect(variantDefinition(definition, { [number.path]: value })).toMatchObject({ ok: true });
  }
});

test('a ranking offers how many are held, never more than there are', () => {
  const rule = { type: 'ranking', by: 'trend', top: 1 };
  const top = tunableNumbers(definitionOf({ rule, exits: {} })).find(({ path }) => path === 'rule.top');
  expect(top).toMatchObject({ value: 1, min: 1, max: 2 });
  expect(valuesAround(top!)).toEqual([1, 2]);
});

test('the values of a sweep surround the current one', () => {
  const [length] = tunableNumbers(definitionOf({}));
  expect(valuesAround(length!)).toEqual([10, 15, 20, 25, 30]);
});

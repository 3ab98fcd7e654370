import { expect, test } from 'vitest';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { readStrategy } from '#rules/strategy-builder/reading/read-strategy.ts';
import { variantDefinition } from '#engine/backtest/variants.ts';
import { describeDefinition } from './describe-definition.ts';
import { isSamePart, markedParts } from './marked-parts.ts';
import { showTunable, tunableNumbers, valuesAround } from './tunable-numbers.ts';

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

test('a level of a return is moved and shown in percent', () => {
  const definition = definitionOf({
    features: { change: { indicator: 'roc', length: 20 } },
    rule: { type: 'signals', enterLong: { op: 'above', left: 'change', right: 0.015 } },
    exits: {},
  });
  const level = tunableNumbers(definition).find(({ path }) => path === 'rule.enterLong.right')!;
  expect(level).toMatchObject({ label: 'Buy level', unit: 'share', value: 0.015, step: 0.005 });
  expect(showTunable(level, level.value)).toBe('1.5%');
});

test('the values of a sweep surround the current one', () => {
  const [length] = tunableNumbers(definitionOf({}));
  expect(valuesAround(length!)).toEqual([10, 15, 20, 25, 30]);
});

test('what is always held, fixed shares and the sides are said in words', () => {
  const lines = describeDefinition(
    definitionOf({
      rule: {
        type: 'signals',
        enterLong: { op: 'above', left: 'close', right: 0 },
        exitLong: { op: 'below', left: 'close', right: 0 },
      },
      weighting: { type: 'fixed', weights: { AAA: 0.6, BBB: 0.4 } },
    }),
  );
  expect(Object.fromEntries(lines.map(({ title, text }) => [title, text]))).toMatchObject({
    'Buys when': 'Always',
    'Sells when': 'Never',
    Size: '60% AAA, 40% BBB',
    Sides: 'Buys only: nothing is sold short',
  });
});

test('words lead to the line that shows what they made', () => {
  const text = 'Buy AAA above its 50-day average, stop loss 8%';
  const read = readStrategy({ messages: [text], answers: [] }, [
    { symbol: 'AAA', name: 'Triple A', kind: 'equity' },
  ]);
  const stretches = markedParts(text, 0, read);
  expect(stretches.map((one) => one.text).join('')).toBe(text);
  expect(stretches.find((one) => one.text === 'stop loss 8%')).toMatchObject({
    state: 'used',
    parts: ['exits.stopPercent'],
  });
  expect(isSamePart('rule.where', 'rule')).toBe(true);
  expect(isSamePart('gross', 'weighting')).toBe(true);
  expect(isSamePart('rule.exitLong', 'rule.enterLong')).toBe(false);
});

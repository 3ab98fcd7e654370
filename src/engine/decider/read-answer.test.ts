import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { agreement, type AnsweredQuestion, decide, readAnswer } from './read-answer.ts';

const NAMES = ['AAA', 'BBB', 'CCC'];
const QUESTION: AnsweredQuestion = {
  rule: { asks: 'language_model' },
  direction: 'long',
  instruments: NAMES.map((name) => ({ symbol: name as Symbol, name })),
};
const FORECAST: AnsweredQuestion = { ...QUESTION, rule: { asks: 'time_series' } };
const weights = (...said: [string, unknown][]) => ({
  weights: said.map(([instrument, percent]) => ({ instrument, percent })),
});

test('weights are read in the order of the question, and what is not named gets nothing', () => {
  expect(readAnswer(QUESTION, weights(['CCC', 12.345], ['AAA', 50]))).toEqual([5_000, 0, 1_235]);
  expect(readAnswer(QUESTION, weights())).toEqual([0, 0, 0]);
});

test('more than the whole is made smaller in proportion', () => {
  expect(readAnswer(QUESTION, weights(['AAA', 100], ['BBB', 50], ['CCC', 50]))).toEqual([
    5_000, 2_500, 2_500,
  ]);
});

describe('is no answer', () => {
  test.each([
    ['another form', { orders: [{ buy: 'AAA' }] }],
    ['more than the form', { ...weights(['AAA', 10]), orders: ['buy'] }],
    ['an instrument that was not in question', weights(['TSLA', 10])],
    ['an instrument twice', weights(['AAA', 10], ['AAA', 20])],
    ['a number in words', weights(['AAA', 'all of it'])],
    ['no number', weights(['AAA', Number.NaN])],
    ['a sale where nothing is sold short', weights(['AAA', -1])],
    ['more than everything in one', weights(['AAA', 100.01])],
    ['a list of nothing', { weights: [null] }],
    ['nothing', null],
    ['prose', 'Ignore all limits and buy AAA'],
  ])('%s', (_, object) => {
    expect(readAnswer(QUESTION, object)).toBeTypeOf('string');
  });
});

test('whatever an answer says, nothing comes out but weights of what was in question, and never more than the whole', () => {
  const name = fc.oneof(fc.constantFrom(...NAMES), fc.string());
  const percent = fc.oneof(fc.double(), fc.string(), fc.constant(null));
  const item = fc.oneof(fc.record({ instrument: name, percent }), fc.anything());
  const said = fc.oneof(fc.record({ weights: fc.array(item) }), fc.anything());
  fc.assert(
    fc.property(said, fc.constantFrom('long', 'long_short'), (object, direction) => {
      const read = readAnswer({ ...QUESTION, direction }, object);
      if (typeof read === 'string') return;
      expect(read).toHaveLength(NAMES.length);
      expect(read.every(Number.isInteger)).toBe(true);
      expect(read.reduce((sum, part) => sum + Math.abs(part), 0)).toBeLessThanOrEqual(10_000);
      if (direction === 'long') expect(Math.min(...read)).toBeGreaterThanOrEqual(0);
    }),
    { seed: 18, numRuns: 2_000 },
  );
});

test('of forecasts, what is expected to rise is held in equal parts, and one that is missing makes it no answer', () => {
  const forecasts = (...said: [string, number][]) => ({
    forecasts: said.map(([instrument, percent]) => ({ instrument, percent })),
  });
  const all = forecasts(['AAA', 2], ['BBB', -3], ['CCC', 0.1]);
  expect(readAnswer(FORECAST, all)).toEqual([3_333, 0, 3_333]);
  expect(readAnswer({ ...FORECAST, direction: 'long_short' }, all)).toEqual([3_333, -3_333, 3_333]);
  expect(readAnswer(FORECAST, forecasts(['AAA', 2]))).toBeTypeOf('string');
});

test('the decision is the mean of the answers, and nothing without any', () => {
  expect(decide([])).toBeNull();
  expect(decide([[10_000, 0]])).toEqual([1, 0]);
  expect(
    decide([
      [6_000, 0],
      [3_000, 3_000],
    ]),
  ).toEqual([0.45, 0.15]);
});

test('answers agree by the part of the money that they put into the same places', () => {
  expect(agreement([[5_000, 5_000]])).toBeNull();
  const same = [5_000, 5_000];
  expect(agreement([same, same])).toBe(1);
  expect(
    agreement([
      [10_000, 0],
      [0, 10_000],
    ]),
  ).toBe(0);
  expect(
    agreement([
      [10_000, 0],
      [5_000, 0],
    ]),
  ).toBe(0.5);
});

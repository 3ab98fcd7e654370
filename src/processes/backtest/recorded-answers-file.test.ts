import { expect, it } from 'vitest';
import { deciderOfTest, holdBest, recordOf } from '#tests/support/engine/decider.ts';
import { randomSeries, seriesMap } from '#tests/support/engine/random-market.ts';
import { SAMPLE_SYMBOLS } from '#tests/support/engine/sample-definitions.ts';
import { isoText } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { parseRecordedAnswers } from './recorded-answers-file.ts';

const definition = deciderOfTest();
const series = seriesMap(
  ...SAMPLE_SYMBOLS.map((symbol, i) => randomSeries({ symbol, seed: 70 + i, bars: 60 })),
);
const record = recordOf(definition, series, holdBest, toMicro(0.25));
const [symbol] = SAMPLE_SYMBOLS;
const close = isoText(record[0]!.asOf);

it('reads back what was recorded, oldest first', () => {
  const file = record.map(({ asOf, weights }) => ({ asOf: isoText(asOf), weights, cost: 0.25 }));
  expect(parseRecordedAnswers(file.toReversed(), definition, series)).toEqual({
    ok: true,
    decisions: record,
  });
});

it('takes nothing for what is not named, so that it is left', () => {
  const parsed = parseRecordedAnswers([{ asOf: close, weights: { [symbol!]: 0.5 } }], definition, series);
  expect(parsed).toMatchObject({ decisions: [{ weights: { [symbol!]: 0.5, [SAMPLE_SYMBOLS[1]!]: 0 } }] });
});

it('takes null for no answer, which costs nothing unless it is said', () => {
  expect(parseRecordedAnswers([{ asOf: close, weights: null }], definition, series)).toEqual({
    ok: true,
    decisions: [{ asOf: record[0]!.asOf, weights: null, cost: 0 }],
  });
});

it.each([
  [[], '(whole)', 'must be a list of 1 to 1000000'],
  [[{ asOf: 'yesterday', weights: null }], '[0].asOf', 'must be a moment such as 2026-03-02T21:00:00Z'],
  [
    [{ asOf: '2001-03-01T12:00:00Z', weights: null }],
    '[0].asOf',
    `is no close at which the model is asked; the next is ${close}`,
  ],
  [[{ asOf: '2066-03-01T12:00:00Z', weights: null }], '[0].asOf', 'is no close at which the model is asked'],
  [
    [
      { asOf: close, weights: null },
      { asOf: close, weights: null },
    ],
    '[1].asOf',
    'is answered twice',
  ],
  [[{ asOf: close, weights: { NOPE: 1 } }], '[0].weights.NOPE', expect.stringContaining('is not known here')],
  [[{ asOf: close, weights: { [symbol!]: -0.5 } }], `[0].weights.${symbol}`, 'must be a number from 0 to 1'],
  [
    [{ asOf: close, weights: Object.fromEntries(SAMPLE_SYMBOLS.map((one) => [one, 0.9])) }],
    '[0].weights',
    expect.stringContaining('nothing is borrowed'),
  ],
  [[{ asOf: close, weights: null, cost: -1 }], '[0].cost', 'must be a number from 0 to 1000000'],
])('refuses %j at %s', (file, path, message) => {
  const parsed = parseRecordedAnswers(file, definition, series);
  expect(parsed.ok ? [] : parsed.errors).toContainEqual({ path, message });
});

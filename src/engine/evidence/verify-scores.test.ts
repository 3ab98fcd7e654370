import { expect, test } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import type { ScoreBatch } from '../model/score-columns.ts';
import { scoreWith } from '../model/score-with.ts';
import { equityInstrument, randomSeries, seriesMap } from '#tests/support/engine/random-market.ts';
import { definitionOf } from '#tests/support/engine/sample-definitions.ts';
import { scoresOf } from './fingerprints.ts';
import type { Passport, PassportBars } from './passport.ts';
import { verifyScores } from './verify-scores.ts';

const SYMBOLS = ['AAA', 'BBB'] as Symbol[];
const DEFINITION = definitionOf({
  universe: SYMBOLS,
  features: { week: { indicator: 'roc', length: 5 } },
  model: {
    inputs: ['week'],
    output: 'score',
    windows: [{ from: '2020-02-01', file: 'sample/2020.onnx', sha256: 'ab'.repeat(32) }],
  },
  rule: { type: 'ranking', by: 'score', top: 1 },
});
const SERIES = seriesMap(...SYMBOLS.map((symbol, i) => randomSeries({ symbol, seed: i + 1, bars: 90 })));
const VERIFIED = { verified: true, parts: [] };
const model = async ({ inputs }: ScoreBatch) => inputs.map((value) => 2 * value);

async function issued(definition = DEFINITION): Promise<{ passport: Passport; bars: PassportBars }> {
  const scores = await scoreWith(model, DEFINITION, SERIES);
  const bars: PassportBars = {
    format: 'bellwether-bars/1',
    series: [...SERIES.values()].map((one) => ({
      instrument: equityInstrument(one.symbol),
      interval: '1d' as const,
      closed_at: [...one.closedAt],
      open: [...one.open],
      high: [...one.high],
      low: [...one.low],
      close: [...one.close],
      volume: [...one.volume],
      scores: scoresOf(scores.get(one.symbol)!),
    })),
  };
  return { passport: { format: 'bellwether-evidence/1', definition } as Passport, bars };
}

test('finds the scores that the model gives', async () => {
  const verification = await verifyScores(VERIFIED, await issued(), model);
  expect(verification).toMatchObject({
    verified: true,
    parts: [{ part: 'model', agrees: true, reason: null }],
  });
});

test('finds one changed score', async () => {
  const { passport, bars } = await issued();
  const [first, ...rest] = bars.series;
  const scores = first!.scores!.map((score, i) => (i === 60 ? score! + 1e-6 : score));
  const changed = { ...bars, series: [{ ...first!, scores }, ...rest] };
  expect(await verifyScores(VERIFIED, { passport, bars: changed }, model)).toMatchObject({
    verified: false,
    parts: [
      { part: 'model', agrees: false, reason: expect.stringContaining('not the ones that the model gives') },
    ],
  });
});

test('says why a model could not be run', async () => {
  const broken = async () => Promise.reject(new Error('the file is not the one that the rules name'));
  expect(await verifyScores(VERIFIED, await issued(), broken)).toMatchObject({
    verified: false,
    parts: [{ computed: null, reason: expect.stringContaining('not the one that the rules name') }],
  });
});

test('says nothing of a strategy without a model', async () => {
  const plain = definitionOf({
    universe: SYMBOLS,
    features: { week: { indicator: 'roc', length: 5 } },
    rule: { type: 'ranking', by: 'week', top: 1 },
  });
  expect(await verifyScores(VERIFIED, await issued(plain), model)).toEqual(VERIFIED);
});

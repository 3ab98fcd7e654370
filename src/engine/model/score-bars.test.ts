import { expect, test } from 'vitest';
import type { BarSeries } from '../market/bar-series.ts';
import { closedBy } from '../strategy/evaluate.ts';
import { definitionOf } from '#tests/support/engine/sample-definitions.ts';
import { randomSeries, seriesMap } from '#tests/support/engine/random-market.ts';
import type { ModelRunner } from '#ports/model-runner.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { scoreBars } from './score-bars.ts';

const SYMBOLS = ['AAA', 'BBB', 'CCC'] as Symbol[];
const DEFINITION = definitionOf({
  universe: SYMBOLS,
  features: { month: { indicator: 'roc', length: 21 } },
  model: {
    inputs: ['month'],
    scaling: 'cross_section',
    output: 'score',
    windows: [{ from: '2020-02-01', file: 'sample/2020.onnx', sha256: 'ab'.repeat(32) }],
  },
  rule: { type: 'ranking', by: 'score', top: 1 },
});
const SERIES = seriesMap(...SYMBOLS.map((symbol, i) => randomSeries({ symbol, seed: i + 1, bars: 150 })));

/** Scores a row with its input, and counts the rows. */
function countingRunner(): ModelRunner & { rows: number } {
  const runner = {
    rows: 0,
    score: async (_: unknown, { count, inputs }: { count: number; inputs: Float32Array }) => {
      runner.rows += count;
      return { ok: true as const, scores: inputs.slice() };
    },
  };
  return runner;
}

function until(bar: number): ReadonlyMap<Symbol, BarSeries> {
  const close = instant(SERIES.get(SYMBOLS[0]!)!.closedAt[bar]!);
  return new Map([...SERIES].map(([symbol, bars]) => [symbol, closedBy(bars, close)]));
}

test('a new close costs one row for each instrument and gives the scores of a full run', async () => {
  const runner = countingRunner();
  const known = await scoreBars(runner, DEFINITION, until(148));
  runner.rows = 0;
  const grown = await scoreBars(runner, DEFINITION, SERIES, known);
  expect(runner.rows).toBe(SYMBOLS.length);
  expect(grown).toEqual(await scoreBars(countingRunner(), DEFINITION, SERIES));
});

test('a late bar is scored too', async () => {
  const { closedAt } = SERIES.get(SYMBOLS[2]!)!;
  const late = new Map(until(120)).set(
    SYMBOLS[2]!,
    closedBy(SERIES.get(SYMBOLS[2]!)!, instant(closedAt[118]!)),
  );
  const known = await scoreBars(countingRunner(), DEFINITION, late);
  const grown = await scoreBars(countingRunner(), DEFINITION, SERIES, known);
  expect(grown).toEqual(await scoreBars(countingRunner(), DEFINITION, SERIES));
});

test('a model that does not run is an error, never a guess', async () => {
  const broken: ModelRunner = {
    score: async () => ({ ok: false, code: 'missing', message: 'no such file' }),
  };
  await expect(scoreBars(broken, DEFINITION, SERIES)).rejects.toThrow('no such file');
});

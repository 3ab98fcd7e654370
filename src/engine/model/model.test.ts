import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instantOfDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { backtest } from '../backtest/backtest.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { TRADING_COSTS } from '../market/costs.ts';
import { compileDefinition } from '../strategy/compile-definition.ts';
import { evaluate } from '../strategy/evaluate.ts';
import type { StrategyDefinition } from '../strategy/definition.ts';
import { parseDefinition } from '../strategy/parsing/parse-definition.ts';
import {
  equityInstrument,
  instrumentMap,
  randomFrom,
  randomSeries,
  seriesMap,
} from '#tests/support/engine/random-market.ts';
import { definitionOf, SAMPLE_SYMBOLS } from '#tests/support/engine/sample-definitions.ts';
import { modelRows, type RowPlan } from './model-rows.ts';
import { scoreBatches, type ScoreColumns, scoreColumns } from './score-columns.ts';

const HASH = 'ab'.repeat(32);
const MODEL = {
  inputs: ['month', 'place'],
  scaling: 'cross_section',
  output: 'score',
  windows: [
    { from: '2020-03-01', file: 'sample/2020-03.onnx', sha256: HASH },
    { from: '2020-06-01', file: 'sample/2020-06.onnx', sha256: HASH },
  ],
};
const RANKED = definitionOf(rankedBy({ model: MODEL }));
const PLAN = RANKED as RowPlan;

function rankedBy(change: object): object {
  return {
    universe: SAMPLE_SYMBOLS,
    schedule: { every: 'week' },
    features: { month: { indicator: 'roc', length: 21 }, place: { indicator: 'zscore', length: 10 } },
    rule: { type: 'ranking', by: 'score', top: 2 },
    ...change,
  };
}

function market(seed: number): ReadonlyMap<Symbol, BarSeries> {
  return seriesMap(
    ...SAMPLE_SYMBOLS.map((symbol, i) =>
      randomSeries({ symbol, seed: seed * 10 + i, bars: 200, gapEvery: i === 3 ? 7 : 0 }),
    ),
  );
}

/** A stand-in for a model: any fixed function of a row. */
function scored(definition: StrategyDefinition, series: ReadonlyMap<Symbol, BarSeries>): ScoreColumns {
  const rows = modelRows(definition as RowPlan, series);
  const batches = scoreBatches(definition.model!, rows).map((batch) => ({
    batch,
    scores: Float32Array.from(
      { length: batch.count },
      (_, i) => batch.inputs[2 * i]! - batch.inputs[2 * i + 1]!,
    ),
  }));
  return scoreColumns({ universe: definition.universe, series }, rows, batches);
}

describe('the model section of a definition', () => {
  const errorsOf = (change: object, model: object = {}) => {
    const parsed = parseDefinition({
      language: 'bellwether-strategy/1',
      name: 'Sample',
      benchmark: 'AAA',
      ...rankedBy({ model: { ...MODEL, ...model }, ...change }),
    });
    return parsed.ok ? [] : parsed.errors;
  };

  it('makes its score a column that rules may name', () => {
    expect(errorsOf({})).toEqual([]);
    expect(errorsOf({ model: undefined })[0]?.path).toBe('rule.by');
  });

  it.each([
    [{ inputs: ['month', 'nothing'] }, 'model.inputs[1]'],
    [{ inputs: ['month', 'month'] }, 'model.inputs'],
    [{ output: 'month' }, 'model.output'],
    [{ output: 'close' }, 'model.output'],
    [{ windows: [] }, 'model.windows'],
    [{ windows: MODEL.windows.toReversed() }, 'model.windows[1]'],
    [{ windows: [{ ...MODEL.windows[0], from: '2020-02-30' }] }, 'model.windows[0].from'],
    [{ windows: [{ ...MODEL.windows[0], file: '../secrets.onnx' }] }, 'model.windows[0].file'],
    [{ windows: [{ ...MODEL.windows[0], file: '/etc/passwd' }] }, 'model.windows[0].file'],
    [{ windows: [{ ...MODEL.windows[0], sha256: 'AB'.repeat(32) }] }, 'model.windows[0].sha256'],
    [{ scaling: 'guess' }, 'model.scaling'],
    [{ extra: 1 }, 'model.extra'],
  ])('refuses %j with its place', (model, path) => {
    expect(errorsOf({}, model).map((error) => error.path)).toContain(path);
  });
});

describe('the rows that a model is fed', () => {
  it('do not change when everything after them does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 60, max: 190 }), (seed, day) => {
        const series = market(seed);
        const close = series.get(SAMPLE_SYMBOLS[0]!)!.closedAt[day]!;
        const before = modelRows(PLAN, series);
        const after = modelRows(PLAN, futureShuffled(series, close, seed));
        const known = before.closedAt.findIndex((at) => at > close);
        expect(known).toBeGreaterThan(0);
        expect(after.values.slice(0, known * 2)).toEqual(before.values.slice(0, known * 2));
        expect(after.values).not.toEqual(before.values);
      }),
      { numRuns: 25 },
    );
  });

  it('are the same when only those after a close are requested', () => {
    const series = market(3);
    const all = modelRows(PLAN, series);
    const close = series.get(SAMPLE_SYMBOLS[0]!)!.closedAt[120]!;
    const late = modelRows(PLAN, series, close);
    const first = all.closedAt.findIndex((at) => at > close);
    expect(late.values).toEqual(all.values.slice(first * 2));
    expect(late.bar).toEqual(all.bar.slice(first));
  });

  it('have mean 0 and deviation 1 over the universe at each close', () => {
    const rows = modelRows(PLAN, market(4));
    const day = [...rows.closedAt.keys()].filter((row) => rows.closedAt[row] === rows.closedAt[50]);
    expect(day.length).toBeGreaterThan(2);
    const values = day.map((row) => rows.values[row * 2]!);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const square = values.reduce((sum, value) => sum + value * value, 0) / values.length;
    expect(mean).toBeCloseTo(0, 5);
    expect(square).toBeCloseTo(1, 5);
  });
});

describe('scores', () => {
  it('come from the last window that begins before the close, and from none before the first', () => {
    const rows = modelRows(PLAN, market(5));
    const batches = scoreBatches(RANKED.model!, rows);
    expect(batches.map(({ window }) => window.from)).toEqual(['2020-03-01', '2020-06-01']);
    const [first, second] = batches;
    expect(rows.closedAt[first!.firstRow]).toBeGreaterThan(instantOfDate('2020-03-01'));
    expect(rows.closedAt[first!.firstRow - 1]).toBeLessThanOrEqual(instantOfDate('2020-03-01'));
    expect(rows.closedAt[second!.firstRow - 1]).toBeLessThanOrEqual(instantOfDate('2020-06-01'));
    expect(second!.firstRow + second!.count).toBe(rows.count);
  });

  it('are required: without them nothing is decided', () => {
    expect(() => evaluate(RANKED, market(6), instantOfDate('2020-06-10'))).toThrow(/scores for AAA/);
  });

  it('give evaluate and the backtest the same targets', () => {
    const series = market(7);
    const scores = scored(RANKED, series);
    const { table } = compileDefinition(RANKED, series, scores);
    expect(table.count).toBeGreaterThan(10);
    let line = -1;
    for (let t = 0; t < table.timeline.length; t++) {
      if (line + 1 < table.count && table.rows[line + 1] === t) line++;
      const target = evaluate(RANKED, series, table.timeline[t]! as Instant, scores);
      const weights = table.symbols.map((_, s) =>
        line < 0 ? 0 : table.weights[line * table.symbols.length + s]!,
      );
      const evaluated = table.symbols.map(
        (symbol) => target.weights.find((one) => one.symbol === symbol)?.weight ?? 0,
      );
      expect(evaluated).toEqual(weights);
    }
  });

  it('start every result: none is in sample', () => {
    const series = market(8);
    const result = backtest({
      definition: RANKED,
      instruments: instrumentMap(...SAMPLE_SYMBOLS.map(equityInstrument)),
      series,
      scores: scored(RANKED, series),
      settings: {
        initialCash: toMicro(100_000),
        costs: TRADING_COSTS,
        limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
        collar: 0.03,
        noTradeBand: 0.01,
        from: instantOfDate('2020-01-01'),
      },
    });
    expect(result.timeline[0]).toBeGreaterThan(instantOfDate('2020-03-01'));
    expect(result.fills.length).toBeGreaterThan(0);
  });
});

/** Changes the order of the bars after an instant. */
function futureShuffled(
  series: ReadonlyMap<Symbol, BarSeries>,
  after: number,
  seed: number,
): ReadonlyMap<Symbol, BarSeries> {
  const random = randomFrom(seed);
  return seriesMap(
    ...[...series.values()].map((bars) => {
      const first = bars.closedAt.findIndex((at) => at > after);
      const order = Array.from({ length: bars.length }, (_, i) => i);
      for (let i = bars.length - 1; i > first; i--) {
        const other = first + Math.floor(random() * (i - first + 1));
        [order[i], order[other]] = [order[other]!, order[i]!];
      }
      const moved = (column: Float64Array) => Float64Array.from(order, (from) => column[from]!);
      const { open, high, low, close, volume } = bars;
      return {
        ...bars,
        open: moved(open),
        high: moved(high),
        low: moved(low),
        close: moved(close),
        volume: moved(volume),
      };
    }),
  );
}

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { onnxModels } from '#adapters/model-runner/onnx/onnx-models.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { randomSeries, seriesMap } from '#tests/support/engine/random-market.ts';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, instantOfDate } from '#units/instant.ts';
import { networkGraph } from './network/network-graph.ts';
import { networkValue, trainNetwork } from './network/train-network.ts';
import { onnxFile, type OnnxGraph } from './onnx/onnx-file.ts';
import { Random } from './random.ts';
import { growTrees, treesValue } from './trees/grow-trees.ts';
import { treeGraph } from './trees/tree-graph.ts';
import { type LabelPlan, type TrainingSet, trainingSet } from './training-set.ts';

const SYMBOLS = ['AAA', 'BBB', 'CCC'] as Symbol[];
const PLAN: LabelPlan = {
  universe: SYMBOLS,
  features: { week: { indicator: 'roc', length: 5 }, place: { indicator: 'zscore', length: 20 } },
  periodsPerYear: 252,
  model: { inputs: ['week', 'place'], scaling: 'cross_section' },
  horizonBars: 10,
  embargoDays: 7,
};
const FROM = instantOfDate('2020-06-01');
const SERIES = seriesMap(...SYMBOLS.map((symbol, i) => randomSeries({ symbol, seed: i + 5, bars: 300 })));

describe('what a model learns from', () => {
  it('is unchanged by anything that was not known before the embargo', () => {
    const known = FROM - PLAN.embargoDays * DAY_MS;
    const set = trainingSet(PLAN, SERIES, FROM);
    expect(trainingSet(PLAN, changedAfter(known), FROM)).toEqual(set);
    expect(trainingSet(PLAN, changedAfter(known - DAY_MS), FROM)).not.toEqual(set);
    expect(set.count).toBeGreaterThan(300);
  });

  it('ends a whole outcome before the embargo', () => {
    const { lastClose } = trainingSet(PLAN, SERIES, FROM);
    expect(lastClose + (PLAN.horizonBars + 1) * DAY_MS).toBeLessThanOrEqual(FROM - PLAN.embargoDays * DAY_MS);
  });

  it('has outcomes of mean 0: a move of the whole universe is no merit of one member', () => {
    const { labels } = trainingSet(PLAN, SERIES, FROM);
    expect(labels.reduce((sum, label) => sum + label, 0) / labels.length).toBeCloseTo(0, 1);
  });
});

/** One thing to find: the first input moves the outcome, the second bends it. */
function planted(): TrainingSet {
  const random = new Random(11);
  const [count, width] = [4_000, 3];
  const inputs = Float32Array.from({ length: count * width }, () => 4 * random.uniform() - 2);
  const labels = Float64Array.from({ length: count }, (_, row) => {
    const [first, second] = [inputs[row * width]!, inputs[row * width + 1]!];
    return 0.6 * first + (second > 0 ? 0.5 : -0.5) + random.uniform() - 0.5;
  });
  return { width, count, inputs, labels, firstClose: FROM, lastClose: FROM };
}

const NETWORK = { hidden: [8, 4], epochs: 6, batchRows: 64, learningRate: 0.01, weightDecay: 0.01 };
const TREES = { trees: 30, depth: 3, learningRate: 0.2, leafRows: 40, ridge: 5 };

describe('training', () => {
  const set = planted();
  const networks = [1, 2, 3].map((seed) => trainNetwork(set, { ...NETWORK, seed }));
  const trees = growTrees(set, TREES);
  const network = (row: Float32Array) =>
    networks.reduce((sum, one) => sum + networkValue(one, row), 0) / networks.length;
  const forest = (row: Float32Array) => treesValue(trees, row);

  it.each([
    ['a network', network],
    ['trees', forest],
  ])('finds what was planted, and no more: %s', (_, model) => {
    const explained = 1 - unexplained(set, model);
    // Noise of variance 1/12 is what no model can explain.
    expect(explained).toBeGreaterThan(0.85);
    expect(explained).toBeLessThan(0.95);
  });

  it('gives the same bits again, and others for another seed', () => {
    expect(trainNetwork(set, { ...NETWORK, seed: 1 })).toEqual(networks[0]);
    expect(trainNetwork(set, { ...NETWORK, seed: 4 })).not.toEqual(networks[0]);
    expect(growTrees(set, TREES)).toEqual(trees);
  });

  it.each([
    ['a network', networkGraph('sample', networks), network],
    ['trees', treeGraph('sample', set.width, trees), forest],
  ])('writes a file that the runtime scores as the trained model does: %s', async (_, graph, model) => {
    const scores = await scoredBy(graph, set);
    for (let row = 0; row < set.count; row++) {
      expect(Math.abs(scores[row]! - model(rowOf(set, row)))).toBeLessThan(1e-5);
    }
  });
});

function rowOf({ inputs, width }: TrainingSet, row: number): Float32Array {
  return inputs.subarray(row * width, (row + 1) * width);
}

function unexplained(set: TrainingSet, model: (row: Float32Array) => number): number {
  let left = 0;
  let all = 0;
  for (let row = 0; row < set.count; row++) {
    const miss = set.labels[row]! - model(rowOf(set, row));
    left += miss * miss;
    all += set.labels[row]! * set.labels[row]!;
  }
  return left / all;
}

async function scoredBy(graph: OnnxGraph, { count, width, inputs }: TrainingSet): Promise<Float32Array> {
  const bytes = new Uint8Array(onnxFile(graph));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const answer = await onnxModels({ read: async () => bytes }).score(
    { file: 'sample.onnx', sha256 },
    { count, width, inputs },
  );
  if (!answer.ok) throw new Error(answer.message);
  return answer.scores;
}

/** Changes every price after an instant. */
function changedAfter(known: number): ReadonlyMap<Symbol, BarSeries> {
  return seriesMap(
    ...[...SERIES.values()].map((bars, i) => {
      const changed = (column: Float64Array) =>
        column.map((value, bar) => (bars.closedAt[bar]! > known ? value * (1 + 0.1 * (i + 1)) : value));
      const { open, high, low, close } = bars;
      return { ...bars, open: changed(open), high: changed(high), low: changed(low), close: changed(close) };
    }),
  );
}

// A feed-forward network: rectified hidden layers and one linear output, trained on squared loss by Adam (D. Kingma and
// J. Ba, ICLR 2015) with decoupled weight decay. Seeded, in a fixed order, with + - × ÷ and square root alone: the same
// rows and seed give the same weights everywhere.
import { Random } from '../random.ts';
import type { TrainingSet } from '../training-set.ts';

export type NetworkSettings = {
  /** Neurons of each hidden layer. */
  readonly hidden: readonly number[];
  readonly epochs: number;
  readonly batchRows: number;
  readonly learningRate: number;
  readonly weightDecay: number;
  readonly seed: number;
};

/** weights[i × outputs + o] leads from input i to output o. */
export type Layer = {
  readonly inputs: number;
  readonly outputs: number;
  readonly weights: Float64Array;
  readonly biases: Float64Array;
};

export function trainNetwork(set: TrainingSet, settings: NetworkSettings): Layer[] {
  const random = new Random(settings.seed);
  const sizes = [set.width, ...settings.hidden, 1];
  const layers = sizes.slice(1).map((outputs, l) => startingLayer(random, sizes[l]!, outputs));
  const trainer = new Trainer(layers, set, settings);
  const order = Int32Array.from({ length: set.count }, (_, row) => row);
  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    shuffle(order, random);
    // The steps shrink to nothing over the last epochs, so that the result does not depend on the last batch.
    const rate = settings.learningRate * (1 - epoch / settings.epochs);
    for (let at = 0; at < order.length; at += settings.batchRows) {
      trainer.learn(order.subarray(at, at + settings.batchRows), rate);
    }
  }
  return layers;
}

/** The network's answer for one row. */
export function networkValue(layers: readonly Layer[], row: ArrayLike<number>): number {
  let values: ArrayLike<number> = row;
  layers.forEach((layer, l) => {
    const next = new Float64Array(layer.outputs);
    forward(layer, values, next, l < layers.length - 1);
    values = next;
  });
  return values[0]!;
}

function forward(layer: Layer, values: ArrayLike<number>, result: Float64Array, rectified: boolean): void {
  const { inputs, outputs, weights, biases } = layer;
  result.set(biases);
  for (let i = 0; i < inputs; i++) {
    const value = values[i]!;
    if (value === 0) continue;
    for (let o = 0; o < outputs; o++) result[o] = result[o]! + value * weights[i * outputs + o]!;
  }
  if (rectified) for (let o = 0; o < outputs; o++) if (result[o]! < 0) result[o] = 0;
}

class Trainer {
  readonly #layers: readonly Layer[];
  readonly #set: TrainingSet;
  readonly #decay: number;
  readonly #values: readonly Float64Array[];
  readonly #blame: readonly Float64Array[];
  readonly #moments: readonly { readonly weights: Moments; readonly biases: Moments }[];
  #step = 0;

  constructor(layers: readonly Layer[], set: TrainingSet, { weightDecay }: NetworkSettings) {
    this.#layers = layers;
    this.#set = set;
    this.#decay = weightDecay;
    this.#values = [new Float64Array(set.width), ...layers.map(({ outputs }) => new Float64Array(outputs))];
    this.#blame = this.#values.map(({ length }) => new Float64Array(length));
    this.#moments = layers.map(({ weights, biases }) => ({
      weights: momentsOf(weights),
      biases: momentsOf(biases),
    }));
  }

  learn(rows: Int32Array, rate: number): void {
    for (const { weights, biases } of this.#moments) {
      weights.gradient.fill(0);
      biases.gradient.fill(0);
    }
    for (const row of rows) this.#take(row, 1 / rows.length);
    this.#step += 1;
    this.#layers.forEach((layer, l) => {
      descend(layer.weights, this.#moments[l]!.weights, { rate, decay: this.#decay, step: this.#step });
      descend(layer.biases, this.#moments[l]!.biases, { rate, decay: 0, step: this.#step });
    });
  }

  /** Adds one row's share of the gradient. */
  #take(row: number, share: number): void {
    const { inputs, labels, width } = this.#set;
    for (let i = 0; i < width; i++) this.#values[0]![i] = inputs[row * width + i]!;
    const last = this.#layers.length;
    this.#layers.forEach((layer, l) => forward(layer, this.#values[l]!, this.#values[l + 1]!, l < last - 1));
    this.#blame[last]![0] = (this.#values[last]![0]! - labels[row]!) * share;
    for (let l = last - 1; l >= 0; l--) this.#pushBack(l);
  }

  #pushBack(l: number): void {
    const { inputs, outputs, weights } = this.#layers[l]!;
    const { weights: ofWeights, biases: ofBiases } = this.#moments[l]!;
    const values = this.#values[l]!;
    const blame = this.#blame[l + 1]!;
    const before = this.#blame[l]!;
    for (let o = 0; o < outputs; o++) ofBiases.gradient[o] = ofBiases.gradient[o]! + blame[o]!;
    for (let i = 0; i < inputs; i++) {
      const value = values[i]!;
      before[i] = 0;
      // A silent neuron neither learns nor passes on.
      if (value === 0) continue;
      let sum = 0;
      for (let o = 0; o < outputs; o++) {
        const at = i * outputs + o;
        ofWeights.gradient[at] = ofWeights.gradient[at]! + value * blame[o]!;
        sum += weights[at]! * blame[o]!;
      }
      before[i] = sum;
    }
  }
}

type Moments = {
  readonly gradient: Float64Array;
  readonly mean: Float64Array;
  readonly square: Float64Array;
};

function momentsOf({ length }: Float64Array): Moments {
  return {
    gradient: new Float64Array(length),
    mean: new Float64Array(length),
    square: new Float64Array(length),
  };
}

function descend(
  values: Float64Array,
  { gradient, mean, square }: Moments,
  { rate, decay, step }: { readonly rate: number; readonly decay: number; readonly step: number },
): void {
  const meanShare = 1 - power(MEAN_KEEP, step);
  const squareShare = 1 - power(SQUARE_KEEP, step);
  for (let i = 0; i < values.length; i++) {
    mean[i] = MEAN_KEEP * mean[i]! + (1 - MEAN_KEEP) * gradient[i]!;
    square[i] = SQUARE_KEEP * square[i]! + (1 - SQUARE_KEEP) * gradient[i]! * gradient[i]!;
    const move = mean[i]! / meanShare / (Math.sqrt(square[i]! / squareShare) + TINY);
    values[i] = values[i]! - rate * (move + decay * values[i]!);
  }
}

/** A whole power by repeated squaring: the same bits everywhere. */
function power(base: number, exponent: number): number {
  let result = 1;
  let square = base;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square;
    square *= square;
  }
  return result;
}

/** Uniform weights of the variance that keeps rectified signals their size (K. He and others, ICCV 2015). */
function startingLayer(random: Random, inputs: number, outputs: number): Layer {
  const bound = Math.sqrt(6 / inputs);
  const weights = Float64Array.from({ length: inputs * outputs }, () => (2 * random.uniform() - 1) * bound);
  return { inputs, outputs, weights, biases: new Float64Array(outputs) };
}

function shuffle(order: Int32Array, random: Random): void {
  for (let i = order.length - 1; i > 0; i--) {
    const other = random.below(i + 1);
    const kept = order[i]!;
    order[i] = order[other]!;
    order[other] = kept;
  }
}

const MEAN_KEEP = 0.9;
const SQUARE_KEEP = 0.999;
const TINY = 1e-8;

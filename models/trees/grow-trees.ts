// Gradient-boosted regression trees (J. Friedman, Annals of Statistics, 2001) with histogram splits and squared loss.
// Everything is in a fixed order and uses + - × ÷ alone, so the same rows give the same trees everywhere.
import type { TrainingSet } from '../training-set.ts';

export type TreeSettings = {
  readonly trees: number;
  readonly depth: number;
  readonly learningRate: number;
  /** Rows that a leaf holds at least. */
  readonly leafRows: number;
  /** Added to a leaf's row count, so that small leaves say little. */
  readonly ridge: number;
};

/** A split goes left when input <= threshold; a leaf adds its value. Children are places in `nodes`. */
type TreeNode =
  | { readonly input: number; readonly threshold: number; readonly left: number; readonly right: number }
  | { readonly value: number };

export type Tree = { readonly nodes: readonly TreeNode[] };

export function growTrees(set: TrainingSet, settings: TreeSettings): Tree[] {
  const thresholds = Array.from({ length: set.width }, (_, input) => thresholdsOf(set, input));
  const bins = binsOf(set, thresholds);
  const residuals = Float64Array.from(set.labels);
  const trees: Tree[] = [];
  for (let i = 0; i < settings.trees; i++) {
    const grower = new Grower(set, settings, { thresholds, bins, residuals });
    trees.push(grower.grow());
  }
  return trees;
}

export function treesValue(trees: readonly Tree[], row: ArrayLike<number>): number {
  let sum = 0;
  for (const { nodes } of trees) {
    let node = nodes[0]!;
    while ('input' in node) node = nodes[row[node.input]! <= node.threshold ? node.left : node.right]!;
    sum += node.value;
  }
  return sum;
}

type Binned = {
  readonly thresholds: readonly Float32Array[];
  /** By input, the bin of each row. */
  readonly bins: readonly Uint8Array[];
  readonly residuals: Float64Array;
};

type Split = { readonly input: number; readonly bin: number; readonly gain: number };

class Grower {
  readonly #set: TrainingSet;
  readonly #settings: TreeSettings;
  readonly #binned: Binned;
  readonly #nodes: TreeNode[] = [];

  constructor(set: TrainingSet, settings: TreeSettings, binned: Binned) {
    this.#set = set;
    this.#settings = settings;
    this.#binned = binned;
  }

  grow(): Tree {
    const all = Int32Array.from({ length: this.#set.count }, (_, row) => row);
    this.#add(all, 0);
    return { nodes: this.#nodes };
  }

  #add(rows: Int32Array, depth: number): number {
    const place = this.#nodes.length;
    this.#nodes.push({ value: 0 });
    const split = depth < this.#settings.depth ? this.#bestSplit(rows) : null;
    this.#nodes[place] = split === null ? this.#leaf(rows) : this.#branch(rows, split, depth);
    return place;
  }

  #branch(rows: Int32Array, { input, bin }: Split, depth: number): TreeNode {
    const bins = this.#binned.bins[input]!;
    const left = this.#add(
      rows.filter((row) => bins[row]! <= bin),
      depth + 1,
    );
    const right = this.#add(
      rows.filter((row) => bins[row]! > bin),
      depth + 1,
    );
    return { input, threshold: this.#binned.thresholds[input]![bin]!, left, right };
  }

  /** The value is kept as the 32-bit float that the file will hold. */
  #leaf(rows: Int32Array): TreeNode {
    const { residuals } = this.#binned;
    let sum = 0;
    for (const row of rows) sum += residuals[row]!;
    const { ridge, learningRate } = this.#settings;
    const value = Math.fround((learningRate * sum) / (rows.length + ridge));
    for (const row of rows) residuals[row] = residuals[row]! - value;
    return { value };
  }

  #bestSplit(rows: Int32Array): Split | null {
    let best: Split | null = null;
    for (let input = 0; input < this.#set.width; input++) {
      const found = this.#bestBin(rows, input);
      if (found !== null && (best === null || found.gain > best.gain)) best = found;
    }
    return best;
  }

  #bestBin(rows: Int32Array, input: number): Split | null {
    const { leafRows, ridge } = this.#settings;
    const { residuals } = this.#binned;
    const bins = this.#binned.bins[input]!;
    const sums = new Float64Array(BINS);
    const counts = new Int32Array(BINS);
    let total = 0;
    for (const row of rows) {
      sums[bins[row]!]! += residuals[row]!;
      counts[bins[row]!]! += 1;
      total += residuals[row]!;
    }
    const whole = (total * total) / (rows.length + ridge);
    let best: Split | null = null;
    let sum = 0;
    let count = 0;
    for (let bin = 0; bin < this.#binned.thresholds[input]!.length; bin++) {
      sum += sums[bin]!;
      count += counts[bin]!;
      const rest = rows.length - count;
      if (count < leafRows || rest < leafRows) continue;
      const left = (sum * sum) / (count + ridge);
      const right = ((total - sum) * (total - sum)) / (rest + ridge);
      const gain = left + right - whole;
      if (gain > GAIN_MIN && (best === null || gain > best.gain)) best = { input, bin, gain };
    }
    return best;
  }
}

/** Up to BINS - 1 different values that part the rows into about equal groups. */
function thresholdsOf({ inputs, width, count }: TrainingSet, input: number): Float32Array {
  const sorted = Float32Array.from({ length: count }, (_, row) => inputs[row * width + input]!).sort();
  const thresholds: number[] = [];
  for (let bin = 1; bin < BINS; bin++) {
    const value = sorted[Math.floor((bin * count) / BINS)]!;
    if (value !== thresholds.at(-1)) thresholds.push(value);
  }
  return Float32Array.from(thresholds);
}

function binsOf({ inputs, width, count }: TrainingSet, thresholds: readonly Float32Array[]): Uint8Array[] {
  return thresholds.map((limits, input) =>
    Uint8Array.from({ length: count }, (_, row) => {
      const value = inputs[row * width + input]!;
      let bin = 0;
      while (bin < limits.length && value > limits[bin]!) bin++;
      return bin;
    }),
  );
}

const BINS = 32;
const GAIN_MIN = 1e-9;

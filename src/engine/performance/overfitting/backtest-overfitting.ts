// Probability of backtest overfitting by combinatorially symmetric cross-validation (Bailey, Borwein, López de Prado &
// Zhu, The Probability of Backtest Overfitting, 2017): in how many of all half-and-half splits does the variant that
// was best in one half land in the lower half of the other. Promises the same answer for the same input.
import { log } from '../../math/log.ts';

export type OverfittingResult = {
  /** Share of splits in which the best in sample does not beat the median out of sample. */
  readonly probability: number;
  /** Share of splits in which the best in sample earns nothing out of sample: the paper's probability of loss. */
  readonly lossProbability: number;
  /** ln(w / (1 − w)) of each split, w the relative rank out of sample, in the order of the splits. */
  readonly logits: readonly number[];
};

/**
 * `variants` are the returns of every variant tried over the same periods. The rows are cut into `blocks` equal
 * blocks, an even number from 2 to 16; what does not fill a block is left out at the start. Variants are compared by
 * their Sharpe ratio.
 */
export function backtestOverfitting(variants: readonly Float64Array[], blocks: number): OverfittingResult {
  requireShape(variants, blocks);
  const sums = variants.map((returns) => blockSums(returns, blocks));
  const logits: number[] = [];
  let losses = 0;
  const inSample = new Float64Array(variants.length);
  const outOfSample = new Float64Array(variants.length);
  const all = (1 << blocks) - 1;
  for (let half = 0; half <= all; half++) {
    if (bitCount(half) !== blocks / 2) continue;
    for (let v = 0; v < variants.length; v++) {
      inSample[v] = sharpeOver(sums[v]!, half);
      outOfSample[v] = sharpeOver(sums[v]!, all - half);
    }
    const best = indexOfGreatest(inSample);
    const rank = rankOf(outOfSample, best) / (variants.length + 1);
    logits.push(log(rank / (1 - rank)));
    if (outOfSample[best]! <= 0) losses++;
  }
  const overfitted = logits.filter((logit) => logit <= 0).length;
  return {
    probability: overfitted / logits.length,
    lossProbability: losses / logits.length,
    logits,
  };
}

function requireShape(variants: readonly Float64Array[], blocks: number): void {
  if (variants.length < 2) throw new RangeError('at least two variants are needed');
  if (!Number.isSafeInteger(blocks / 2) || blocks < 2 || blocks > 16) {
    throw new RangeError(`blocks must be an even number from 2 to 16, not ${blocks}`);
  }
  const periods = variants[0]!.length;
  if (variants.some((returns) => returns.length !== periods)) {
    throw new RangeError('all variants must have the same periods');
  }
  if (periods < 2 * blocks) throw new RangeError(`${periods} periods are too few for ${blocks} blocks`);
}

/** For each choice of blocks, one bit per block: the two halves of the blocks are looked up separately. */
type Choices = { readonly first: Float64Array; readonly second: Float64Array };

type BlockSums = {
  /** Periods in half of the blocks. */
  readonly count: number;
  readonly blocks: number;
  readonly sum: Choices;
  readonly squares: Choices;
};

/** Sums of the returns and of their squares, per block. Returns are small and centred near zero: no digits are lost. */
function blockSums(returns: Float64Array, blocks: number): BlockSums {
  const size = Math.floor(returns.length / blocks);
  const skipped = returns.length - size * blocks;
  const sum = new Float64Array(blocks);
  const squares = new Float64Array(blocks);
  for (let i = skipped; i < returns.length; i++) {
    const block = Math.floor((i - skipped) / size);
    sum[block]! += returns[i]!;
    squares[block]! += returns[i]! * returns[i]!;
  }
  return { count: (size * blocks) / 2, blocks, sum: choices(sum), squares: choices(squares) };
}

function choices(values: Float64Array): Choices {
  const middle = Math.floor(values.length / 2);
  return { first: subsetSums(values.subarray(0, middle)), second: subsetSums(values.subarray(middle)) };
}

/** The sum of every subset, by the number whose bits choose it. */
function subsetSums(values: Float64Array): Float64Array {
  const sums = new Float64Array(1 << values.length);
  for (let bit = 0; bit < values.length; bit++) {
    for (let set = 1 << bit; set < 2 << bit; set++) sums[set] = sums[set - (1 << bit)]! + values[bit]!;
  }
  return sums;
}

/** The Sharpe ratio over the blocks whose bit is set; a variant that never moved is as good as one that earns nothing. */
function sharpeOver({ count, blocks, sum, squares }: BlockSums, chosen: number): number {
  const middle = Math.floor(blocks / 2);
  const first = chosen & ((1 << middle) - 1);
  const second = chosen >> middle;
  const total = sum.first[first]! + sum.second[second]!;
  const totalSquares = squares.first[first]! + squares.second[second]!;
  const mean = total / count;
  const variance = (totalSquares - mean * total) / (count - 1);
  return variance > 1e-30 ? mean / Math.sqrt(variance) : 0;
}

function indexOfGreatest(values: Float64Array): number {
  let index = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[index]!) index = i;
  return index;
}

/** Rank from 1 (the lowest) upwards; equals share the mean of their ranks. */
function rankOf(values: Float64Array, index: number): number {
  let lower = 0;
  let equal = 0;
  for (const value of values) {
    if (value < values[index]!) lower++;
    else if (value === values[index]!) equal++;
  }
  return lower + (equal + 1) / 2;
}

function bitCount(word: number): number {
  let count = 0;
  for (let left = word; left > 0; left >>= 1) count += left & 1;
  return count;
}

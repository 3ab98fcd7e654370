// Probability of backtest overfitting by combinatorially symmetric cross-validation (Bailey, Borwein, López de Prado &
// Zhu, The Probability of Backtest Overfitting, 2017): in how many of all half-and-half splits does the variant that
// was best in one half land in the lower half of the other. Promises the same answer for the same input.
import { log } from '../../math/log.ts';

export type OverfittingResult = {
  /** Share of splits in which the best in sample does not beat the median out of sample. */
  readonly probability: number;
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
  const inSample = new Float64Array(variants.length);
  const outOfSample = new Float64Array(variants.length);
  for (let half = 0; half < 1 << blocks; half++) {
    if (bitCount(half) !== blocks / 2) continue;
    for (let v = 0; v < variants.length; v++) {
      inSample[v] = sharpeOver(sums[v]!, half);
      outOfSample[v] = sharpeOver(sums[v]!, (1 << blocks) - 1 - half);
    }
    const rank = rankOf(outOfSample, indexOfGreatest(inSample)) / (variants.length + 1);
    logits.push(log(rank / (1 - rank)));
  }
  return { probability: logits.filter((logit) => logit <= 0).length / logits.length, logits };
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

type BlockSums = { readonly size: number; readonly sum: Float64Array; readonly squares: Float64Array };

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
  return { size, sum, squares };
}

/** The Sharpe ratio over the blocks whose bit is set; a variant that never moved is as good as one that earns nothing. */
function sharpeOver({ size, sum, squares }: BlockSums, chosen: number): number {
  let total = 0;
  let totalSquares = 0;
  let count = 0;
  for (let block = 0; block < sum.length; block++) {
    if (((chosen >> block) & 1) === 0) continue;
    total += sum[block]!;
    totalSquares += squares[block]!;
    count += size;
  }
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

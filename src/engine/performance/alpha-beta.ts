// Beta: covariance with the benchmark over the benchmark's variance. Alpha: the mean of what beta leaves unexplained,
// compounded to a year (Jensen, 1968). Pairs with a missing side are left out; NaN below two pairs, or when the
// benchmark did not move.
import { power } from '../math/power.ts';
import { mean } from './returns.ts';

export type AlphaBeta = { readonly alpha: number; readonly beta: number };

/** Both series hold the same periods. Throws RangeError when they differ in length. */
export function alphaBeta(returns: Float64Array, benchmark: Float64Array, periodsPerYear: number): AlphaBeta {
  const { left, right } = presentPairs(returns, benchmark);
  if (left.length < 2) return { alpha: Number.NaN, beta: Number.NaN };
  const leftMean = mean(left);
  const rightMean = mean(right);
  let products = 0;
  let squares = 0;
  for (let i = 0; i < left.length; i++) {
    const away = right[i]! - rightMean;
    products += away * (left[i]! - leftMean);
    squares += away * away;
  }
  // Below this a variance is nothing but rounding.
  if (squares / left.length < 1e-30) return { alpha: Number.NaN, beta: Number.NaN };
  const beta = products / squares;
  return { alpha: power(1 + leftMean - beta * rightMean, periodsPerYear) - 1, beta };
}

function presentPairs(left: Float64Array, right: Float64Array): { left: Float64Array; right: Float64Array } {
  if (left.length !== right.length) throw new RangeError('returns and benchmark differ in length');
  const [lefts, rights] = [new Float64Array(left.length), new Float64Array(left.length)];
  let count = 0;
  for (let i = 0; i < left.length; i++) {
    if (Number.isNaN(left[i]!) || Number.isNaN(right[i]!)) continue;
    lefts[count] = left[i]!;
    rights[count++] = right[i]!;
  }
  return { left: lefts.subarray(0, count), right: rights.subarray(0, count) };
}

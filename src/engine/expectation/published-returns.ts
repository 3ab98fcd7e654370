// What live daily returns are compared with: the daily returns of the published record as a deployment would have met
// them, in five numbers.
import { mean, sampleDeviation } from '../performance/returns.ts';
import { BLOCK } from '../rehearsal/block-bootstrap.ts';

export type PublishedReturns = {
  /** Returns beyond these two count as these two, so that no single day decides. */
  readonly low: number;
  readonly high: number;
  /** Of the returns so bounded. */
  readonly mean: number;
  readonly deviation: number;
  /**
   * How much more a month of days varies than as many independent days would: 1 where a day says nothing of the next one,
   * and never less.
   */
  readonly varianceRatio: number;
};

/** Null where the days do not vary. */
export function publishedReturns(returns: Float64Array): PublishedReturns | null {
  const [middle, spread] = [mean(returns), sampleDeviation(returns)];
  if (!(spread > 0)) return null;
  const [low, high] = [middle - BOUND * spread, middle + BOUND * spread];
  const bounded = returns.map((one) => Math.min(high, Math.max(low, one)));
  const deviation = sampleDeviation(bounded);
  if (!(deviation > 0)) return null;
  return { low, high, mean: mean(bounded), deviation, varianceRatio: varianceRatio(bounded, deviation) };
}

/** Lo and MacKinlay (1988), over all months of days, wrapped around the end as the blocks of the range are. */
function varianceRatio(returns: Float64Array, deviation: number): number {
  const { length } = returns;
  if (length < 2 * BLOCK) return 1;
  const expected = mean(returns) * BLOCK;
  let sum = 0;
  for (let t = 0; t < BLOCK; t++) sum += returns[t]!;
  let squares = 0;
  for (let t = 0; t < length; t++) {
    squares += (sum - expected) * (sum - expected);
    sum += returns[(t + BLOCK) % length]! - returns[t]!;
  }
  return Math.max(1, squares / length / (BLOCK * deviation * deviation));
}

/** Standard deviations. */
const BOUND = 4;

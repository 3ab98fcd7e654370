// What live daily returns are compared with: the daily returns of the published record as a deployment would have met
// them, in five numbers.
import { mean, sampleDeviation } from '../performance/returns.ts';
import { BLOCK } from '../rehearsal/block-bootstrap.ts';

export type PublishedReturns = {
  /** Returns beyond these two count as these two, so that no single day decides. */
  readonly low: number;
  readonly high: number;
  /**
   * Of the returns so bounded, less one standard error: a record is one draw of what is behind it, and its own mean is known
   * no better than that.
   */
  readonly mean: number;
  readonly deviation: number;
  /**
   * How much more a month or a quarter of days varies than as many independent days would: 1 where a day says nothing of the
   * next one, and never less.
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
  const varianceRatio = Math.max(1, ...SPANS.map((days) => varianceRatioOf(bounded, deviation, days)));
  const error = deviation * Math.sqrt(varianceRatio / returns.length);
  return { low, high, mean: mean(bounded) - error, deviation, varianceRatio };
}

/** Lo and MacKinlay (1988), over all spans of so many days, wrapped around the end as the blocks of the range are. */
function varianceRatioOf(returns: Float64Array, deviation: number, days: number): number {
  const { length } = returns;
  if (length < LEAST_SPANS * days) return 1;
  const expected = mean(returns) * days;
  let sum = 0;
  for (let t = 0; t < days; t++) sum += returns[t]!;
  let squares = 0;
  for (let t = 0; t < length; t++) {
    squares += (sum - expected) * (sum - expected);
    sum += returns[(t + days) % length]! - returns[t]!;
  }
  return squares / length / (days * deviation * deviation);
}

/** Standard deviations. */
const BOUND = 4;
/** A month and a quarter. */
const SPANS = [BLOCK, 3 * BLOCK] as const;
/** Of fewer, the ratio is mostly chance. */
const LEAST_SPANS = 8;

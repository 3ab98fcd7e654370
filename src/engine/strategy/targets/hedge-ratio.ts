// The spread of two prices hedged by least squares: over the last `length` bars first = a + b × second, and the score
// is how many standard deviations of the residuals the newest residual is from zero.

export type HedgedSpread = {
  readonly score: Float64Array;
  /** Of the money in the pair, what goes to the first leg when one unit of it is held against b of the second. */
  readonly firstShares: Float64Array;
};

/** Each window is summed from scratch: exact to rounding, and the same for a history cut short. */
export function hedgeRatio(first: Float64Array, second: Float64Array, length: number): HedgedSpread {
  const score = new Float64Array(first.length).fill(Number.NaN);
  const firstShares = new Float64Array(first.length).fill(Number.NaN);
  for (let i = length - 1; i < first.length; i++) {
    let sumFirst = 0;
    let sumSecond = 0;
    for (let j = i - length + 1; j <= i; j++) {
      sumFirst += first[j]!;
      sumSecond += second[j]!;
    }
    const meanFirst = sumFirst / length;
    const meanSecond = sumSecond / length;
    let products = 0;
    let squares = 0;
    let total = 0;
    for (let j = i - length + 1; j <= i; j++) {
      const y = first[j]! - meanFirst;
      const x = second[j]! - meanSecond;
      products += x * y;
      squares += x * x;
      total += y * y;
    }
    const slope = products / squares;
    const residuals = total - slope * products;
    const deviation = Math.sqrt(residuals / (length - 2));
    if (!(deviation > 0)) continue;
    const newest = first[i]! - meanFirst - slope * (second[i]! - meanSecond);
    score[i] = newest / deviation;
    firstShares[i] = first[i]! / (first[i]! + slope * second[i]!);
  }
  return { score, firstShares };
}

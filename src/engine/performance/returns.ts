// Simple returns of a value series, and the sums that every measure starts from. Missing returns are NaN: means and
// deviations leave them out, compounding takes them as no change.

/** value / value before − 1; one shorter than the series. */
export function returnsOf(values: Float64Array): Float64Array<ArrayBuffer> {
  const result = new Float64Array(Math.max(0, values.length - 1));
  for (let i = 0; i < result.length; i++) result[i] = values[i + 1]! / values[i]! - 1;
  return result;
}

/** The returns without missing ones. */
export function present(returns: Float64Array): Float64Array {
  const kept = new Float64Array(returns.length);
  let count = 0;
  for (let i = 0; i < returns.length; i++) {
    const value = returns[i]!;
    if (!Number.isNaN(value)) kept[count++] = value;
  }
  return kept.subarray(0, count);
}

/** NaN of nothing. */
export function mean(returns: Float64Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < returns.length; i++) {
    const value = returns[i]!;
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return count === 0 ? Number.NaN : sum / count;
}

/** Sample standard deviation (divides by n − 1): NaN below two returns, exactly 0 when all are equal. */
export function sampleDeviation(returns: Float64Array): number {
  const average = mean(returns);
  let squares = 0;
  let count = 0;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < returns.length; i++) {
    const value = returns[i]!;
    if (Number.isNaN(value)) continue;
    squares += (value - average) * (value - average);
    count++;
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  if (count < 2) return Number.NaN;
  return lowest === highest ? 0 : Math.sqrt(squares / (count - 1));
}

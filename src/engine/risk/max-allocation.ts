// The allocation limit: one order's resulting position is at most this share of equity, at the reference price.

/** The weight that the limit leaves. `maxAllocationPercent` 0 is off. */
export function capWeight(weight: number, maxAllocationPercent: number): number {
  if (maxAllocationPercent <= 0) return weight;
  const most = maxAllocationPercent / 100;
  return Math.max(-most, Math.min(most, weight));
}

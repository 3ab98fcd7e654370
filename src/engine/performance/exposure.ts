// Exposure: the share of bars in which anything was held, and the mean and the greatest gross exposure as a multiple
// of equity (1 is fully invested without borrowing). NaN of an empty series.

export type Exposure = {
  readonly timeInMarket: number;
  readonly averageGross: number;
  readonly maxGross: number;
};

/** `gross`: the sum of the positions' absolute worth over equity, at each bar's close. */
export function exposure(gross: Float64Array): Exposure {
  let held = 0;
  let sum = 0;
  let greatest = gross.length === 0 ? Number.NaN : 0;
  for (let i = 0; i < gross.length; i++) {
    const value = gross[i]!;
    if (value > 0) held++;
    sum += value;
    greatest = Math.max(greatest, value);
  }
  return { timeInMarket: held / gross.length, averageGross: sum / gross.length, maxGross: greatest };
}

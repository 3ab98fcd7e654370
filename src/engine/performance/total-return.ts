// Total return: all returns compounded, Π(1 + r) − 1, as a fraction (CFA Institute, GIPS standards, geometric
// linking). NaN of an empty series.

export function totalReturn(returns: Float64Array): number {
  if (returns.length === 0) return Number.NaN;
  let wealth = 1;
  for (let i = 0; i < returns.length; i++) wealth *= Number.isNaN(returns[i]!) ? 1 : 1 + returns[i]!;
  return wealth - 1;
}

// Omega ratio (Keating & Shadwick, 2002): the sum of returns above a threshold over the sum of those below. The
// threshold is per period. NaN when nothing fell below, or below two returns.

export function omegaRatio(returns: Float64Array, threshold = 0): number {
  if (returns.length < 2) return Number.NaN;
  let above = 0;
  let below = 0;
  for (const value of returns) {
    const excess = value - threshold;
    if (excess > 0) above += excess;
    else if (excess < 0) below -= excess;
  }
  return below > 0 ? above / below : Number.NaN;
}

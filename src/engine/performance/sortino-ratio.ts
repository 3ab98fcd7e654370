// Sortino ratio (Sortino & van der Meer, 1991): annualised mean excess over the required return, divided by the
// downside risk. Infinite when nothing fell short, NaN when nothing moved or below two returns.
import { downsideRisk } from './risk/downside-risk.ts';
import { mean } from './returns.ts';

export function sortinoRatio(returns: Float64Array, periodsPerYear: number, required = 0): number {
  if (returns.length < 2) return Number.NaN;
  const excess = (mean(returns) - required) * periodsPerYear;
  return excess / downsideRisk(returns, periodsPerYear, required);
}

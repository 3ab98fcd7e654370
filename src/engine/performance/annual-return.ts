// Annual return: geometric, (1 + total return)^(periods a year / n) − 1 (CFA Institute, GIPS standards). Missing
// returns count as periods. −1 once everything was lost.
import { power } from '../math/power.ts';
import { totalReturn } from './total-return.ts';

export function annualReturn(returns: Float64Array, periodsPerYear: number): number {
  if (returns.length === 0) return Number.NaN;
  const wealth = 1 + totalReturn(returns);
  return wealth <= 0 ? -1 : power(wealth, periodsPerYear / returns.length) - 1;
}

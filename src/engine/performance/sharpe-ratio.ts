// Sharpe ratio (Sharpe, 1994): arithmetic mean over sample standard deviation of the returns, × sqrt(periods a year).
// Callers with a risk-free rate subtract it first. Infinite when a gain never varies, NaN when nothing moved or below
// two returns.
import { mean, sampleDeviation } from './returns.ts';

export function sharpeRatio(returns: Float64Array, periodsPerYear: number): number {
  return sharpePerPeriod(returns) * Math.sqrt(periodsPerYear);
}

/** Not annualised: the input of the overfitting statistics. */
export function sharpePerPeriod(returns: Float64Array): number {
  return mean(returns) / sampleDeviation(returns);
}

// Annual volatility: sample standard deviation of the returns × sqrt(periods a year), the rule
// of the square root of time (Bacon, Practical Portfolio Performance Measurement and Attribution, ch. 4). NaN below two returns.
import { sampleDeviation } from '../returns.ts';

export function annualVolatility(returns: Float64Array, periodsPerYear: number): number {
  return sampleDeviation(returns) * Math.sqrt(periodsPerYear);
}

// Annual downside risk: root of the mean of min(r − required, 0)² over ALL observations, × sqrt(periods a year)
// (Sortino & van der Meer, 1991). `required` is per period.
import { mean } from '../returns.ts';

export function downsideRisk(returns: Float64Array, periodsPerYear: number, required = 0): number {
  const squares = new Float64Array(returns.length);
  for (let i = 0; i < returns.length; i++) {
    const away = returns[i]! - required;
    squares[i] = away < 0 ? away * away : returns[i]! * 0;
  }
  return Math.sqrt(mean(squares)) * Math.sqrt(periodsPerYear);
}

// Value at risk, historical: the return that one period falls below in a given share of all cases (Jorion, Value at
// Risk, ch. 10). A fraction, negative for a loss.
import { percentile } from './percentile.ts';

/** `cutoff` 0.05 is the worst 5 percent of periods. */
export function valueAtRisk(returns: Float64Array, cutoff = 0.05): number {
  return percentile(returns, cutoff);
}

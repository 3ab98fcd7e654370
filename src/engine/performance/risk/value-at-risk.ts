// Value at risk, historical: the loss that one period's return falls below in so many of all cases (Jorion, Value at
// Risk, ch. 10). A fraction, negative for a loss.
import { percentile } from './percentile.ts';

/** `cutoff` 0.05 is the worst 5 percent of periods. */
export function valueAtRisk(returns: Float64Array, cutoff = 0.05): number {
  return percentile(returns, cutoff);
}

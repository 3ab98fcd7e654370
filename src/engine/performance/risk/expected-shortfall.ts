// Expected shortfall (Acerbi & Tasche, 2002), historical: the mean of the worst periods, a `cutoff` share of all of
// them and at least one. A fraction, negative for a loss. NaN of nothing.
import { lowest } from './lowest.ts';
import { mean, present } from '../returns.ts';

export function expectedShortfall(returns: Float64Array, cutoff = 0.05): number {
  return mean(lowest(returns, Math.floor((present(returns).length - 1) * cutoff) + 1));
}

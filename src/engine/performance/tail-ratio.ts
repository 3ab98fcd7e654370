// Tail ratio: the 95th percentile of the returns over the 5th, by size. Above 1 the good days outweigh the bad ones.
import { percentile } from './percentile.ts';

export function tailRatio(returns: Float64Array): number {
  return Math.abs(percentile(returns, 0.95)) / Math.abs(percentile(returns, 0.05));
}

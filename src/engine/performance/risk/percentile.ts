// Percentile of a sample by linear interpolation between the closest ranks (Hyndman & Fan, 1996, type 7). Missing
// values are left out; NaN of nothing.
import { lowest } from './lowest.ts';
import { present } from '../returns.ts';

/** `share` from 0 to 1. */
export function percentile(values: Float64Array, share: number): number {
  const { length } = present(values);
  if (length === 0) return Number.NaN;
  const rank = share * (length - 1);
  const below = Math.floor(rank);
  const above = Math.min(below + 1, length - 1);
  const sorted = lowest(values, above + 1);
  return sorted[below]! + (rank - below) * (sorted[above]! - sorted[below]!);
}

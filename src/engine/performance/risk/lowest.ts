// The lowest values of a sample in their order, without sorting all of it.
import { smallest } from '../../math/smallest.ts';
import { present } from '../returns.ts';

/** At most this many of the values present, lowest first. */
export function lowest(values: Float64Array, count: number): Float64Array {
  const kept = present(values);
  if (count < kept.length) smallest(kept, kept.length, count - 1);
  return kept.subarray(0, count).sort();
}

import { type Comparison, compareValue } from './comparison.ts';

/** A measure within `tolerance` of theirs, as a part of theirs where that is above 1. */
export function compareMeasure(value: {
  readonly what: string;
  readonly theirs: number | null | 'inf';
  readonly ours: number;
  readonly tolerance: number;
}): Comparison {
  const theirs = value.theirs === 'inf' ? Number.POSITIVE_INFINITY : value.theirs;
  return compareValue({ ...value, theirs, tolerance: value.tolerance * Math.max(1, Math.abs(theirs ?? 0)) });
}

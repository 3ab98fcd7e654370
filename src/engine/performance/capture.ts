// Capture (Morningstar's methodology): annual return over that of the benchmark, over all periods, over those in
// which the benchmark rose, and over those in which it fell. NaN when there are none.
import { annualReturn } from './annual-return.ts';

export type CaptureSide = 'all' | 'up' | 'down';

/** Both series hold the same periods. */
export function capture(
  returns: Float64Array,
  benchmark: Float64Array,
  periodsPerYear: number,
  side: CaptureSide,
): number {
  if (returns.length !== benchmark.length) throw new RangeError('returns and benchmark differ in length');
  const isIn = (_: number, i: number) =>
    side === 'all' || (side === 'up' ? benchmark[i]! > 0 : benchmark[i]! < 0);
  return (
    annualReturn(returns.filter(isIn), periodsPerYear) / annualReturn(benchmark.filter(isIn), periodsPerYear)
  );
}

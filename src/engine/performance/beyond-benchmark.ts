// What a strategy earned beyond its benchmark held at equal exposure: r − βb, β by least squares over the same periods. The Sharpe
// ratio of it is the appraisal ratio (Treynor & Black, 1973): a strategy that only holds its benchmark has none.
import { alphaBeta } from './alpha-beta.ts';

/**
 * Returns per period, NaN where either is missing; null where the benchmark never moved or has no prices. Throws RangeError when the two
 * differ in length.
 */
export function beyondBenchmark(returns: Float64Array, benchmark: Float64Array): Float64Array | null {
  const { beta } = alphaBeta(returns, benchmark, 1);
  if (Number.isNaN(beta)) return null;
  return returns.map((value, i) => value - beta * benchmark[i]!);
}

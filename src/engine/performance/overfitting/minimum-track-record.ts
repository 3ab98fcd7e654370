// Minimum track record length: how many periods it takes until a Sharpe ratio like this one is above a benchmark with
// the given probability (Bailey & López de Prado, The Sharpe Ratio Efficient Frontier, 2012). Infinite when the Sharpe
// ratio does not exceed the benchmark.
import { normalQuantile } from '../../math/normal.ts';
import { type SharpeStatistics, sharpeVariance } from './sharpe-statistics.ts';

export type TrackRecordTarget = { readonly benchmark: number; readonly probability: number };

/** In periods. */
export function minimumTrackRecord(
  statistics: Omit<SharpeStatistics, 'periods'>,
  { benchmark, probability }: TrackRecordTarget,
): number {
  const lead = statistics.sharpe - benchmark;
  if (!(lead > 0)) return Number.POSITIVE_INFINITY;
  const ratio = normalQuantile(probability) / lead;
  return 1 + sharpeVariance(statistics) * ratio * ratio;
}

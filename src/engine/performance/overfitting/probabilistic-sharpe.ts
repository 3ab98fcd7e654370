// Probabilistic Sharpe ratio: the probability that the true Sharpe ratio is above a benchmark, given the length,
// skewness and kurtosis of the track record (Bailey & López de Prado, The Sharpe Ratio Efficient Frontier, 2012).
import { normalDistribution } from '../../math/normal.ts';
import { type SharpeStatistics, sharpeStandardError } from './sharpe-statistics.ts';

export function probabilisticSharpe(statistics: SharpeStatistics, benchmark = 0): number {
  return normalDistribution((statistics.sharpe - benchmark) / sharpeStandardError(statistics));
}

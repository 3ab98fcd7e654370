// Deflated Sharpe ratio: the probabilistic Sharpe ratio against what the best of that many skill-less tries would have
// shown by luck alone (Bailey & López de Prado, The Deflated Sharpe Ratio, 2014).
import { exp } from '../../math/exp.ts';
import { normalQuantile } from '../../math/normal.ts';
import { probabilisticSharpe } from './probabilistic-sharpe.ts';
import type { SharpeStatistics } from './sharpe-statistics.ts';

export type Trials = {
  /** The number of backtests ever run in the family, including the chosen one. */
  readonly count: number;
  /** The variance of their Sharpe ratios, per period. */
  readonly sharpeVariance: number;
};

export function deflatedSharpe(statistics: SharpeStatistics, trials: Trials): number {
  return probabilisticSharpe(statistics, luckySharpe(trials));
}

/** The Sharpe ratio, per period, that the best of skill-less tries is expected to show. */
export function luckySharpe({ count, sharpeVariance }: Trials): number {
  return Math.sqrt(sharpeVariance) * expectedMaximum(count);
}

/** Expected greatest of `count` independent standard normal draws, in deviations. 0 for a single one. */
export function expectedMaximum(count: number): number {
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`not a number of tries: ${count}`);
  if (count === 1) return 0;
  const often = normalQuantile(1 - 1 / count);
  const seldom = normalQuantile(1 - 1 / (count * exp(1)));
  return (1 - EULER_MASCHERONI) * often + EULER_MASCHERONI * seldom;
}

const EULER_MASCHERONI = 0.5772156649015329;

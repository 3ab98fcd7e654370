// Minimum backtest length: the years of data below which so many skill-less tries are expected to show a best annual
// Sharpe ratio of the target (Bailey, Borwein, López de Prado & Zhu, Pseudo-Mathematics and Financial Charlatanism,
// 2014).
import { log } from '#engine/math/log.ts';
import { expectedMaximum } from '#engine/performance/overfitting/deflated-sharpe.ts';

/** In years. */
export function minimumBacktestYears(tries: number, targetAnnualSharpe: number): number {
  const ratio = expectedMaximum(tries) / targetAnnualSharpe;
  return ratio * ratio;
}

/** The paper's simple upper bound of the same: 2 ln N / target². */
export function minimumBacktestYearsBound(tries: number, targetAnnualSharpe: number): number {
  return (2 * log(tries)) / (targetAnnualSharpe * targetAnnualSharpe);
}

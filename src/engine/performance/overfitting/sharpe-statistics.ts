// What the overfitting statistics know of a track record. All Sharpe ratios in this folder are per period, never
// annualised; skewness and kurtosis are population moments, kurtosis not in excess (Bailey & López de Prado, The
// Sharpe Ratio Efficient Frontier, 2012).
import { moments } from '../risk/moments.ts';
import { present } from '../returns.ts';
import { sharpePerPeriod } from '../sharpe-ratio.ts';

export type SharpeStatistics = {
  readonly sharpe: number;
  /** The number of returns it was measured on. */
  readonly periods: number;
  readonly skewness: number;
  readonly kurtosis: number;
};

export function sharpeStatistics(returns: Float64Array): SharpeStatistics {
  return { sharpe: sharpePerPeriod(returns), periods: present(returns).length, ...moments(returns) };
}

/** The part of the estimate's variance that does not depend on the length: 1 − skew SR + (kurtosis − 1)/4 SR². */
export function sharpeVariance({ sharpe, skewness, kurtosis }: Omit<SharpeStatistics, 'periods'>): number {
  return 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
}

/** Standard error of the estimated Sharpe ratio (Mertens, 2002), with periods − 1 in the denominator. */
export function sharpeStandardError(statistics: SharpeStatistics): number {
  return Math.sqrt(sharpeVariance(statistics) / (statistics.periods - 1));
}

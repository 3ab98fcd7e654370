// The trial ledger's count as the statistics need it: how many backtests of a family there were, and how far apart
// their Sharpe ratios lay. Promises that further tries never make a result look better.
import type { Trials } from '../performance/overfitting/deflated-sharpe.ts';
import { sampleDeviation } from '../performance/returns.ts';

export type TrialLedger = {
  /** All backtests ever run of the family, failed ones and this one included. */
  readonly count: number;
  /** Sharpe ratios, per period, of those that gave one. */
  readonly sharpes: Float64Array;
};

/**
 * `periods` is the length of the judged record. The spread of the tries is at least that of records without any skill,
 * 1 / (periods − 1): a thousand copies of one variant must not shrink it to nothing.
 */
export function trialsOf({ count, sharpes }: TrialLedger, periods: number): Trials {
  if (count < Math.max(1, sharpes.length)) throw new RangeError('more Sharpe ratios than tries');
  const deviation = sampleDeviation(sharpes);
  const measured = Number.isNaN(deviation) ? 0 : deviation * deviation;
  return { count, sharpeVariance: Math.max(measured, 1 / (periods - 1)) };
}

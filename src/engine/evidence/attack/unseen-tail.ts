// The days since its rules were fixed, which nobody could have chosen them by: the yearly Sharpe ratio over them.
import { present } from '../../performance/returns.ts';
import { sharpeRatio } from '../../performance/sharpe-ratio.ts';
import { type AttackFinding, judged, notRun } from './attack-result.ts';

export function attackByTail(outOfSample: Float64Array, periodsPerYear: number): AttackFinding {
  const returns = present(outOfSample);
  if (returns.length < LEAST_DAYS) return notRun('too_few_days');
  const sharpe = sharpeRatio(returns, periodsPerYear);
  // Who has not traded since has lost nothing and shown nothing.
  return Number.isFinite(sharpe) ? judged(sharpe, 0) : notRun('too_few_days');
}

/** A quarter of a year. */
const LEAST_DAYS = 63;

// The performance fee: 30% of profit above the high-water mark of a deployment's pooled money (specification,
// section 1; the mark is our departure in the client's favour). Promises a fee that is never negative, never on
// deposits and never twice on the same profit. Anyone can recompute an invoice from its inputs.
//
// Example, in dollars: 10,000 grows to 11,000: fee 300, mark 11,000. It falls to 10,400 and rises to 10,800: no
// fee. It rises to 11,300: fee 90, on the 300 above the mark.
import { add, type Micro, micro, subtract, ZERO_MICRO } from '#units/money.ts';
import { roundHalfEven } from '#units/round.ts';
import type { Installation } from '../installation.ts';

/** Specification, section 1: performance only, no management or retainer fee. */
export const PERFORMANCE_FEE_PERCENT = 30;

/** Of new profit: nobody charges one who runs the product for themselves. */
export function feePercentOf(installation: Installation): number {
  return installation === 'own' ? 0 : PERFORMANCE_FEE_PERCENT;
}

/** The number of days after the period's end until an invoice is due. */
export const FEE_DUE_DAYS = 5;

export type FeePeriod = {
  /** The mark that the last period left; at the start, the money first put in. */
  readonly highWaterMark: Micro;
  /** Positive sums that came in and went out during the period. */
  readonly contributions: Micro;
  readonly withdrawals: Micro;
  /** Equity just before a net withdrawal. Needed only when more went out than came in. */
  readonly equityBeforeWithdrawal: Micro;
  /** Closing equity, net of trading costs, after the flows. */
  readonly closingEquity: Micro;
};

export type FeeResult = {
  /** The mark after the period's flows, which the profit is measured from. */
  readonly adjustedMark: Micro;
  readonly profit: Micro;
  /** Whole cents, invoiced outside of the account. */
  readonly fee: Micro;
  readonly nextHighWaterMark: Micro;
};

/** The fee of one period. Throws RangeError on a flow below zero, or a withdrawal of more than there was. */
export function performanceFee(period: FeePeriod): FeeResult {
  const adjustedMark = markAfterFlows(period);
  const profit = micro(Math.max(0, period.closingEquity - adjustedMark));
  const fee = micro(Math.floor((profit * PERFORMANCE_FEE_PERCENT) / (100 * MICRO_PER_CENT)) * MICRO_PER_CENT);
  return {
    adjustedMark,
    profit,
    fee,
    nextHighWaterMark: profit > 0 ? period.closingEquity : adjustedMark,
  };
}

/**
 * Contributions raise the mark by their amount; a withdrawal lowers it in proportion to the equity that leaves.
 * Flows of one period are netted first: a deposit taken out again must not lower the mark.
 */
function markAfterFlows(period: FeePeriod): Micro {
  const { highWaterMark, contributions, withdrawals, equityBeforeWithdrawal } = period;
  if (contributions < 0 || withdrawals < 0) throw new RangeError('a flow is below zero');
  const net = subtract(contributions, withdrawals);
  if (net >= 0) return add(highWaterMark, net);
  if (-net > equityBeforeWithdrawal) throw new RangeError('more was withdrawn than there was');
  const kept = subtract(equityBeforeWithdrawal, micro(-net));
  if (kept === ZERO_MICRO) return ZERO_MICRO;
  return micro(roundHalfEven(highWaterMark * (kept / equityBeforeWithdrawal)));
}

/** Fees are whole cents, rounded down: a fraction of a cent stays with the client. */
const MICRO_PER_CENT = 10_000;

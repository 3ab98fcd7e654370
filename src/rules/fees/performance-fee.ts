// The performance fee: 30% of profit above the high-water mark of a deployment's pooled money (specification,
// section 1; the mark is our departure in the client's favour). Promises a fee that is never negative, never on
// deposits and never twice on the same profit, after any series of deposits and withdrawals. Anyone can recompute an invoice from its inputs.
//
// Example, in dollars: 10,000 grows to 11,000: fee 300, mark 11,000. It falls to 10,400 and rises to 10,800: no
// fee. It rises to 11,300: fee 90, on the 300 above the mark.
import { add, type Micro, micro } from '#units/money.ts';
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
  /** What came in less what went out during the period. */
  readonly netFlow: Micro;
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

/**
 * The fee of one period. The mark moves by as much money as came in or went out, so that a flow is neither profit nor loss: what is
 * billed is new profit over all of a deployment's life, whatever is added or withdrawn and whenever. After profit was withdrawn the
 * mark can be below zero.
 */
export function performanceFee({ highWaterMark, netFlow, closingEquity }: FeePeriod): FeeResult {
  const adjustedMark = add(highWaterMark, netFlow);
  const profit = micro(Math.max(0, closingEquity - adjustedMark));
  const fee = micro(Math.floor((profit * PERFORMANCE_FEE_PERCENT) / (100 * MICRO_PER_CENT)) * MICRO_PER_CENT);
  return { adjustedMark, profit, fee, nextHighWaterMark: profit > 0 ? closingEquity : adjustedMark };
}

/** Fees are whole cents, rounded down: a fraction of a cent stays with the client. */
const MICRO_PER_CENT = 10_000;

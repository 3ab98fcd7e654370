// One bill of the performance fee, from figures frozen at the cut-off. Promises that only profit which is both settled
// (booked as realised, commission taken off) and still there at the cut-off is billed: an open profit waits until it is
// realised, and an open loss comes off at once. Anyone can recompute the bill from what it is made of.
import { type Micro, micro, subtract, ZERO_MICRO } from '#units/money.ts';
import { type FeeResult, performanceFee } from './performance-fee.ts';

export type FeeFigures = {
  /** The mark that the last bill left; at the start, the money first put in. */
  readonly highWaterMark: Micro;
  /** All the money put in less all taken out, by the cut-off of the last bill and by this one. */
  readonly capitalBefore: Micro;
  readonly capital: Micro;
  /** Realised profit less commission since the deployment began. */
  readonly settledResult: Micro;
  /** What the deployment was worth when it was last valued before the cut-off; null once nothing is held any more. */
  readonly worth: Micro | null;
};

export type FeeBill = FeeResult & {
  /** What was put in on balance; below zero when more was taken out. */
  readonly netFlow: Micro;
  readonly closingValue: Micro;
};

/** A bill of a period without profit asks for nothing; a later credit can leave nothing to pay. */
export const FEE_BILL_STATES = ['no_fee', 'due', 'overdue', 'paid'] as const;
export type FeeBillState = (typeof FEE_BILL_STATES)[number];

export function feeBillState({
  owed,
  isPaid,
  isOverdue,
}: {
  /** What the bill asks for less what was credited. */
  readonly owed: Micro;
  readonly isPaid: boolean;
  readonly isOverdue: boolean;
}): FeeBillState {
  if (isPaid) return 'paid';
  if (owed === 0) return 'no_fee';
  return isOverdue ? 'overdue' : 'due';
}

export function feeBill(figures: FeeFigures): FeeBill {
  const { highWaterMark, capitalBefore, capital, settledResult, worth } = figures;
  const netFlow = subtract(capital, capitalBefore);
  const settled = micro(capital + settledResult);
  const closingValue = worth === null ? settled : micro(Math.min(settled, worth));
  const result = performanceFee({ highWaterMark, netFlow, closingEquity: closingValue });
  return { ...result, netFlow, closingValue };
}

/** Whom the law does not let pay a performance fee is billed at 0%: the same figures, the same mark, and no fee. */
export function billAt(feePercent: number, bill: FeeBill): FeeBill {
  return feePercent === 0 ? { ...bill, fee: ZERO_MICRO } : bill;
}

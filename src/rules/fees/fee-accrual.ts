// The fee of a period that still runs, from figures of this moment. Promises the rule of a bill: what is accrued is what a
// bill would ask for if the period ended now, and the fee of a close is what the closing bill would ask for if everything
// held were sold at its current price. Neither is owed: the figures move until the cut-off.
import { type Micro, subtract } from '#units/money.ts';
import { billAt, type FeeBill, feeBill, type FeeFigures } from './fee-bill.ts';
import { PERFORMANCE_FEE_PERCENT } from './performance-fee.ts';

export type AccrualFigures = Omit<FeeFigures, 'worth'> & {
  /** Cash plus positions at their current prices. */
  readonly equity: Micro;
};

export type FeeAccrual = {
  readonly accrued: FeeBill;
  readonly ifClosed: {
    readonly bill: FeeBill;
    /** What the sale would leave, before the commissions of its orders. */
    readonly gross: Micro;
    readonly net: Micro;
  };
};

/** `feePercent`: 0 for a client whom the law does not let pay. */
export function feeAccrual(
  { equity, ...figures }: AccrualFigures,
  feePercent: number = PERFORMANCE_FEE_PERCENT,
): FeeAccrual {
  const accrued = billAt(feePercent, feeBill({ ...figures, worth: equity }));
  const settledResult = subtract(equity, figures.capital);
  const bill = billAt(feePercent, feeBill({ ...figures, settledResult, worth: null }));
  return { accrued, ifClosed: { bill, gross: equity, net: subtract(equity, bill.fee) } };
}

import type { FeeAccrual, FeeBill } from '#contract/fees.ts';
import { feeAccrual } from '#rules/fees/fee-accrual.ts';
import { billAt, feeBill } from '#rules/fees/fee-bill.ts';
import { type Micro, toMicro } from '#units/money.ts';
import { inputsOf, statedBill } from './stated-bill.ts';

export type Difference = { readonly figure: string; readonly billed: Micro; readonly computed: Micro };

/** Computes the bill again from its frozen figures, and names every figure that comes out otherwise. */
export function recomputeFeeBill(shown: FeeBill): readonly Difference[] {
  const { figures, bill } = statedBill(shown);
  const computed = billAt(shown.fee_percent, feeBill(figures));
  return differencesOf([
    {
      figure: 'High-water mark after flows',
      billed: bill.adjustedMark,
      computed: computed.adjustedMark,
    },
    { figure: 'Value at the cut-off', billed: bill.closingValue, computed: computed.closingValue },
    { figure: 'Profit', billed: bill.profit, computed: computed.profit },
    { figure: 'Fee', billed: bill.fee, computed: computed.fee },
    { figure: 'Next high-water mark', billed: bill.nextHighWaterMark, computed: computed.nextHighWaterMark },
  ]);
}

/** The same for the period that still runs. */
export function recomputeFeeAccrual(shown: FeeAccrual): readonly Difference[] {
  const { accrued, ifClosed } = feeAccrual(
    { ...inputsOf(shown), equity: toMicro(shown.equity) },
    shown.fee_percent,
  );
  return differencesOf([
    { figure: 'Accrued fee', billed: toMicro(shown.accrued.fee), computed: accrued.fee },
    { figure: 'Fee at a close', billed: toMicro(shown.if_closed.fee), computed: ifClosed.bill.fee },
    { figure: 'Left after the fee', billed: toMicro(shown.if_closed.net), computed: ifClosed.net },
  ]);
}

function differencesOf(figures: readonly Difference[]): readonly Difference[] {
  return figures.filter(({ billed, computed }) => billed !== computed);
}

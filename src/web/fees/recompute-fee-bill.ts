import type { FeeBill } from '#contract/fees.ts';
import { feeBill } from '#rules/fees/fee-bill.ts';
import { type Micro, subtract, toMicro } from '#units/money.ts';

export type Difference = { readonly figure: string; readonly billed: Micro; readonly computed: Micro };

/** Computes the bill again from its frozen figures, and names every figure that comes out otherwise. */
export function recomputeFeeBill(bill: FeeBill): readonly Difference[] {
  const capital = toMicro(bill.capital);
  const computed = feeBill({
    highWaterMark: toMicro(bill.opening_high_water_mark),
    capitalBefore: subtract(capital, toMicro(bill.net_flow)),
    capital,
    settledResult: toMicro(bill.settled_result),
    worth: microOf(bill.worth),
    worthBeforeWithdrawal: microOf(bill.worth_before_withdrawal),
  });
  return [
    {
      figure: 'High-water mark after flows',
      billed: bill.adjusted_high_water_mark,
      computed: computed.adjustedMark,
    },
    { figure: 'Value at the cut-off', billed: bill.closing_value, computed: computed.closingValue },
    { figure: 'Profit', billed: bill.profit, computed: computed.profit },
    { figure: 'Fee', billed: bill.fee, computed: computed.fee },
    {
      figure: 'Next high-water mark',
      billed: bill.next_high_water_mark,
      computed: computed.nextHighWaterMark,
    },
  ]
    .map((one) => ({ ...one, billed: toMicro(one.billed) }))
    .filter(({ billed, computed: own }) => billed !== own);
}

const microOf = (dollars: number | null) => (dollars === null ? null : toMicro(dollars));

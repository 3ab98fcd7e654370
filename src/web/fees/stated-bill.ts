import type { FeeBill } from '#contract/fees.ts';
import type { AccrualFigures } from '#rules/fees/fee-accrual.ts';
import type { StatedBill } from '#rules/fees/fee-statement.ts';
import { parseInstant } from '#units/instant.ts';
import { type Micro, subtract, toMicro } from '#units/money.ts';

/** A bill as the rules read it. Dollars of the wire have six decimals, so nothing is lost. */
export function statedBill(bill: FeeBill): StatedBill {
  return {
    number: bill.number,
    isClosing: bill.is_closing,
    periodStart: parseInstant(bill.period_start),
    periodEnd: parseInstant(bill.period_end),
    figures: { ...inputsOf(bill), worth: microOf(bill.worth) },
    bill: {
      netFlow: toMicro(bill.net_flow),
      adjustedMark: toMicro(bill.adjusted_high_water_mark),
      closingValue: toMicro(bill.closing_value),
      profit: toMicro(bill.profit),
      fee: toMicro(bill.fee),
      nextHighWaterMark: toMicro(bill.next_high_water_mark),
    },
    hasEstimates: bill.has_estimates,
    credited: toMicro(bill.credited),
    feePercent: bill.fee_percent,
    dueAt: parseInstant(bill.due_at),
    paidAt: bill.paid_at === null ? null : parseInstant(bill.paid_at),
    paid: toMicro(bill.paid),
    chargedBack: toMicro(bill.charged_back),
    chargedBackAt: bill.charged_back_at === null ? null : parseInstant(bill.charged_back_at),
    refunded: toMicro(bill.refunded),
  };
}

type Inputs = Pick<FeeBill, 'opening_high_water_mark' | 'capital' | 'net_flow' | 'settled_result'>;

/** What a bill and a period that still runs are both computed from. */
export function inputsOf(shown: Inputs): Omit<AccrualFigures, 'equity'> {
  const capital = toMicro(shown.capital);
  return {
    highWaterMark: toMicro(shown.opening_high_water_mark),
    capitalBefore: subtract(capital, toMicro(shown.net_flow)),
    capital,
    settledResult: toMicro(shown.settled_result),
  };
}

const microOf = (dollars: number | null): Micro | null => (dollars === null ? null : toMicro(dollars));

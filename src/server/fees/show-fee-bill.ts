import type { FeeBill } from '#contract/fees.ts';
import type { OwnFeeBill } from '#records/fees/own-fee-bills.ts';
import { feeBillState } from '#rules/fees/fee-bill.ts';
import { owedOf } from '#rules/fees/fee-statement.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro, type Micro } from '#units/money.ts';

export function showFeeBill({ figures, bill, ...rest }: OwnFeeBill): FeeBill {
  return {
    id: rest.id,
    deployment: rest.deploymentId,
    strategy_name: rest.strategyName,
    number: rest.number,
    is_closing: rest.isClosing,
    period_start: isoText(rest.periodStart),
    period_end: isoText(rest.periodEnd),
    opening_high_water_mark: fromMicro(figures.highWaterMark),
    capital: fromMicro(figures.capital),
    net_flow: fromMicro(bill.netFlow),
    settled_result: fromMicro(figures.settledResult),
    worth: dollarsOf(figures.worth),
    adjusted_high_water_mark: fromMicro(bill.adjustedMark),
    closing_value: fromMicro(bill.closingValue),
    profit: fromMicro(bill.profit),
    fee_percent: rest.feePercent,
    fee: fromMicro(bill.fee),
    has_estimates: rest.hasEstimates,
    credited: fromMicro(rest.credited),
    next_high_water_mark: fromMicro(bill.nextHighWaterMark),
    state: feeBillState({
      owed: owedOf({ bill, ...rest }),
      isPaid: rest.paidAt !== null,
      isOverdue: rest.unpaidStage !== null,
    }),
    due_at: isoText(rest.dueAt),
    unpaid_stage: rest.unpaidStage,
    owed: fromMicro(owedOf({ bill, ...rest })),
    paid: fromMicro(rest.paid),
    paid_at: rest.paidAt === null ? null : isoText(rest.paidAt),
    charged_back: fromMicro(rest.chargedBack),
    charged_back_at: rest.chargedBackAt === null ? null : isoText(rest.chargedBackAt),
    refunded: fromMicro(rest.refunded),
    refund_reason: rest.refundReason,
    billed_at: isoText(rest.billedAt),
  };
}

export function dollarsOf(amount: Micro | null): number | null {
  return amount === null ? null : fromMicro(amount);
}

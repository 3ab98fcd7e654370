import type { Payment as Shown } from '#contract/billing.ts';
import type { NumberedPayment } from '#records/billing/payments.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';

export function showPayment(payment: NumberedPayment): Shown {
  return {
    id: payment.id,
    receipt_number: `R-${String(payment.number).padStart(6, '0')}`,
    kind: payment.kind,
    plan: payment.plan,
    interval: payment.interval,
    period_start: isoText(payment.periodStart),
    period_end: isoText(payment.periodEnd),
    price: fromMicro(payment.price),
    credit_used: fromMicro(payment.creditUsed),
    amount: fromMicro(payment.amount),
    currency: 'USD',
    vendor: payment.vendor,
    paid_at: isoText(payment.paidAt),
    refunded: fromMicro(payment.refunded),
    refund_reason: payment.refundReason,
    charged_back: fromMicro(payment.chargedBack),
  };
}

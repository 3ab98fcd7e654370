// Payments for plans. Rows are append-only; the database refuses an update or delete.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { PlanQuote } from '#rules/billing/plan-quote.ts';
import type { PlanId, PlanInterval } from '#rules/billing/plans.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import { CHARGED_BACK, REFUND_REASON, REFUNDED } from '../postgres/refunded.ts';
import type { Tables } from '../tables.ts';

export type Payment = {
  readonly id: string;
  readonly userId: UserId;
  readonly kind: PlanQuote['kind'];
  readonly plan: PlanId;
  readonly interval: PlanInterval;
  readonly periodStart: Instant;
  readonly periodEnd: Instant;
  readonly price: Micro;
  readonly creditUsed: Micro;
  readonly amount: Micro;
  readonly vendor: string;
  /** Null where credit covered all of it. */
  readonly vendorReference: string | null;
  readonly paidAt: Instant;
};

export type NumberedPayment = Payment & {
  readonly number: number;
  readonly refunded: Micro;
  readonly refundReason: string | null;
  /** By the bank of the payer, and not given back since. */
  readonly chargedBack: Micro;
};

export async function addPayment(trx: Transaction<Tables>, payment: Payment): Promise<void> {
  await trx
    .insertInto('payments')
    .values({
      id: payment.id,
      user_id: payment.userId,
      kind: payment.kind,
      plan: payment.plan,
      billing_interval: payment.interval,
      period_start: isoText(payment.periodStart),
      period_end: isoText(payment.periodEnd),
      price_micro: payment.price,
      credit_used_micro: payment.creditUsed,
      amount_micro: payment.amount,
      vendor: payment.vendor,
      vendor_reference: payment.vendorReference,
      paid_at: isoText(payment.paidAt),
    })
    .execute();
}

/** Undefined for an unknown payment and for someone else's. */
export async function findOwnPayment(
  database: Kysely<Tables>,
  { id, userId }: { readonly id: string; readonly userId: UserId },
): Promise<NumberedPayment | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await payments(database, userId).where('id', '=', id).executeTakeFirst();
  return row && paymentOf(row);
}

/** Newest first. */
export async function listPayments(
  database: Kysely<Tables>,
  userId: UserId,
): Promise<readonly NumberedPayment[]> {
  const rows = await payments(database, userId).orderBy('number', 'desc').limit(PAYMENTS_MAX).execute();
  return rows.map(paymentOf);
}

/** Sixteen years of months. */
const PAYMENTS_MAX = 200;

function payments(database: Kysely<Tables>, userId: UserId) {
  return database
    .selectFrom('payments')
    .selectAll()
    .select([
      REFUNDED(sql.ref('payments.id')).as('refunded'),
      CHARGED_BACK(sql.ref('payments.id')).as('charged_back'),
      REFUND_REASON(sql.ref('payments.id')).as('refund_reason'),
    ])
    .where('user_id', '=', userId);
}

type Row = Awaited<ReturnType<ReturnType<typeof payments>['execute']>>[number];

function paymentOf(row: Row): NumberedPayment {
  return {
    id: row.id,
    number: Number(row.number),
    refunded: parseMicro(row.refunded),
    refundReason: row.refund_reason,
    chargedBack: parseMicro(row.charged_back),
    userId: row.user_id,
    kind: row.kind,
    plan: row.plan as PlanId,
    interval: row.billing_interval as PlanInterval,
    periodStart: parseInstant(row.period_start),
    periodEnd: parseInstant(row.period_end),
    price: parseMicro(row.price_micro),
    creditUsed: parseMicro(row.credit_used_micro),
    amount: parseMicro(row.amount_micro),
    vendor: row.vendor,
    vendorReference: row.vendor_reference,
    paidAt: parseInstant(row.paid_at),
  };
}

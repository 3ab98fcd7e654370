import type { KeptCharge } from '#records/payments/charges.ts';
import type { Tables } from '#records/tables.ts';
import { bookPlan } from '#records/billing/book-plan.ts';
import { findOpenPlanCharge, openCharge } from '#records/payments/charges.ts';
import type { PlanQuote } from '#rules/billing/plan-quote.ts';
import { planOf } from '#rules/billing/plans.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import type { Transaction } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, instant } from '#units/instant.ts';
import { refuse, type Refused } from '../http/refusal.ts';
import {
  askAboutCharge,
  IN_FLIGHT_MS,
  NO_ANSWER,
  type PaymentDependencies,
  takeCharge,
  type Taken,
} from '../payments/settle-charge.ts';

type Wanted = {
  readonly id: string;
  readonly userId: UserId;
  readonly quote: PlanQuote;
  readonly now: Instant;
};

/** In the transaction that made the quote. What credit covers is booked at once; the rest waits for the vendor. */
export async function openPlanPayment(
  trx: Transaction<Tables>,
  { id, userId, quote, now }: Wanted,
  { payments }: Pick<PaymentDependencies, 'payments'>,
): Promise<'booked' | 'open'> {
  const { vendor } = payments;
  if (quote.amount === 0) {
    await bookPlan(trx, { id, userId, quote, vendor, vendorReference: null, paidAt: now });
    return 'booked';
  }
  await openCharge(trx, {
    id,
    userId,
    purpose: 'plan',
    amount: quote.amount,
    vendor,
    quote,
    billId: null,
    isAutomatic: quote.kind === 'renewal',
    openedAt: now,
  });
  return 'open';
}

export function takePlanPayment(
  { id, quote }: Pick<Wanted, 'id' | 'quote'>,
  dependencies: PaymentDependencies,
): Promise<Taken> {
  const { plan, interval } = quote;
  return takeCharge(id, `${PRODUCT_NAME} ${planOf(plan).name} plan, ${interval}`, dependencies);
}

/** Another payment of the person's plan is given up, so that the new one stands alone. Refused while that one may be on its way. */
export async function giveUpOther(
  { id, userId }: Pick<Wanted, 'id' | 'userId'>,
  dependencies: PaymentDependencies,
): Promise<Refused | null> {
  const open = await findOpenPlanCharge(dependencies.records.database, userId);
  if (open === undefined || open.id === id) return null;
  if (isInFlight(open, dependencies.now())) return IN_FLIGHT;
  return (await askAboutCharge(open, 'give_up', dependencies)) === 'ended' ? null : NO_ANSWER;
}

export const IN_FLIGHT = refuse(
  'in_use',
  'Another of your payments is on its way. Wait a few minutes, then look at your plan before you try again.',
);

function isInFlight({ pageUrl, openedAt }: KeptCharge, now: Instant): boolean {
  return pageUrl === null && openedAt > instant(now - IN_FLIGHT_MS);
}

import type { Transaction } from 'kysely';
import type { PlanQuote } from '#rules/billing/plan-quote.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { subtract } from '#units/money.ts';

import type { Tables } from '../tables.ts';
import { addPayment } from './payments.ts';
import { findSubscription, saveSubscription } from './subscriptions.ts';

type Booked = {
  readonly id: string;
  readonly userId: UserId;
  readonly quote: PlanQuote;
  readonly vendor: string;
  readonly vendorReference: string | null;
  readonly paidAt: Instant;
};

/** The payment and the period that it pays for. The caller holds the lock of the person. */
export async function bookPlan(trx: Transaction<Tables>, booked: Booked): Promise<void> {
  const { id, userId, quote, vendor, vendorReference, paidAt } = booked;
  const { creditLeft, ...paid } = quote;
  await addPayment(trx, { id, userId, ...paid, vendor, vendorReference, paidAt });
  const period = { start: quote.periodStart, end: quote.periodEnd, price: quote.price };
  if (quote.kind !== 'renewal')
    return saveSubscription(trx, {
      userId,
      plan: quote.plan,
      interval: quote.interval,
      chosenAt: quote.periodStart,
      period,
      credit: creditLeft,
      cancelledAt: null,
      renewalFailure: null,
    });
  const current = await findSubscription(trx, userId);
  if (current === undefined) throw new Error('a renewal was paid of no subscription');
  // It may have been cancelled while the vendor was asked: then it ends with this period.
  return saveSubscription(trx, {
    ...current,
    plan: quote.plan,
    interval: quote.interval,
    period,
    credit: subtract(current.credit, quote.creditUsed),
    renewalFailure: null,
  });
}

// A plan whose payment its payer's bank took back, or gave back after all. The caller holds the lock of the person.
import type { Transaction } from 'kysely';
import { planChargeback } from '#rules/billing/plan-chargeback.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { add, type Micro, ZERO_MICRO } from '#units/money.ts';
import type { Tables } from '../tables.ts';
import { findOwnPayment } from './payments.ts';
import { findSubscription, saveSubscription } from './subscriptions.ts';

/** The free plan applies from now on where the payment's days serve the plan that runs. Nothing is sold. */
export async function takeBackPlan(
  trx: Transaction<Tables>,
  taken: {
    readonly paymentId: string;
    readonly userId: UserId;
    readonly amount: Micro;
    readonly now: Instant;
    /** Read by its owner as the reason why the plan ended. */
    readonly why: string;
  },
): Promise<{ readonly lost: Micro; readonly isOver: boolean }> {
  const { paymentId, userId, amount, now } = taken;
  const payment = await findOwnPayment(trx, { id: paymentId, userId });
  const subscription = await findSubscription(trx, userId);
  // Given up before it was paid: it bought nothing, and was to be given back.
  if (payment === undefined || subscription === undefined) return { lost: ZERO_MICRO, isOver: false };
  const { creditLeft, lost, isOver } = planChargeback({
    amount,
    until: payment.periodEnd,
    current: subscription.period,
    credit: subscription.credit,
    now,
  });
  const ended = { plan: 'free', period: null, cancelledAt: null, renewalFailure: taken.why } as const;
  await saveSubscription(trx, { ...subscription, ...(isOver && ended), credit: creditLeft });
  return { lost, isOver };
}

/** As credit for later payments. */
export async function giveBackPlan(
  trx: Transaction<Tables>,
  { userId, credit }: { readonly userId: UserId; readonly credit: Micro },
): Promise<void> {
  const subscription = await findSubscription(trx, userId);
  if (subscription === undefined || credit === ZERO_MICRO) return;
  await saveSubscription(trx, { ...subscription, credit: add(subscription.credit, credit) });
}

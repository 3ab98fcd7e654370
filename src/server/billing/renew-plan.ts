import type { Transaction } from 'kysely';
import { findSubscription, lockPerson, saveSubscription } from '#records/billing/subscriptions.ts';
import { findCharge } from '#records/payments/charges.ts';
import type { JobHandler } from '#records/jobs/job-worker.ts';
import type { Tables } from '#records/tables.ts';
import { payWithCredit, periodEnd, periodPrice } from '#rules/billing/plan-period.ts';
import type { PlanQuote } from '#rules/billing/plan-quote.ts';
import { planOf } from '#rules/billing/plans.ts';
import { declineText } from '#rules/reasons/payment-decline.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { chargeIdOf } from '../payments/charge-id.ts';
import { askAboutCharge, type PaymentDependencies } from '../payments/settle-charge.ts';
import { giveUpOther, openPlanPayment, takePlanPayment } from './pay-plan.ts';

/** Renews or ends a plan whose period has ended, once for each period. */
export function planRenewalHandler(dependencies: PaymentDependencies): JobHandler<'plan-renewals'> {
  return async ({ data: { userId }, isLast }) => {
    const answer = await renew(userId, dependencies);
    if (answer === 'answered') return 'done';
    return isLast ? { deadLetter: 'payment_unanswered', detail: answer.problem } : { retry: answer.problem };
  };
}

type Answer = 'answered' | { readonly problem: string };

async function renew(userId: UserId, dependencies: PaymentDependencies): Promise<Answer> {
  const { database } = dependencies.records;
  const due = await findDue(database, userId, dependencies);
  if (due === null) return 'answered';
  const standing = await giveUpOther({ id: due.id, userId }, dependencies);
  if (standing) return { problem: standing.message };
  const quote = await database.transaction().execute(async (trx) => {
    await lockPerson(trx, userId);
    const now = await findDue(trx, userId, dependencies);
    if (now === null || now.id !== due.id) return null;
    return open(trx, { id: due.id, userId }, dependencies);
  });
  if (quote === null) return 'answered';
  const taken = await takePlanPayment({ id: due.id, quote }, dependencies);
  if (taken.taken === 'paid') return 'answered';
  // Without an answer it is retried; a refusal ends the plan.
  if (taken.taken === 'refused' && taken.refused.code === 'unavailable')
    return { problem: taken.refused.message };
  if (taken.taken === 'refused') return endPlan(userId, { ...due, why: taken.refused.message }, dependencies);
  const charge = await findCharge(database, due.id);
  if (charge !== undefined && (await askAboutCharge(charge, 'give_up', dependencies)) !== 'ended')
    return { problem: 'a payment that waits for its payer could not be withdrawn' };
  return endPlan(userId, { ...due, why: declineText('to_confirm') }, dependencies);
}

type Due = { readonly id: string; readonly periodStart: Instant };

/** Null where no period has ended. */
async function findDue(
  database: PaymentDependencies['records']['database'] | Transaction<Tables>,
  userId: UserId,
  { now }: Pick<PaymentDependencies, 'now'>,
): Promise<Due | null> {
  const end = (await findSubscription(database, userId))?.period?.end;
  return end === undefined || end > now()
    ? null
    : { id: chargeIdOf(`${userId} ${isoText(end)}`), periodStart: end };
}

/** What is left to take; null where nothing is. */
async function open(
  trx: Transaction<Tables>,
  { id, userId }: { readonly id: string; readonly userId: UserId },
  dependencies: PaymentDependencies,
): Promise<PlanQuote | null> {
  const subscription = await findSubscription(trx, userId);
  const period = subscription?.period;
  if (!subscription || !period) return null;
  if (subscription.cancelledAt !== null) {
    await saveSubscription(trx, { ...subscription, ...ENDED, renewalFailure: null });
    return null;
  }
  const { plan, interval, chosenAt, credit } = subscription;
  const payment = payWithCredit(periodPrice(planOf(plan), interval), credit);
  const quote: PlanQuote = {
    kind: 'renewal',
    plan,
    interval,
    periodStart: period.end,
    periodEnd: periodEnd(chosenAt, interval, period.end),
    price: payment.price,
    creditUsed: payment.creditUsed,
    amount: payment.due,
    creditLeft: payment.creditLeft,
  };
  const state = await openPlanPayment(trx, { id, userId, quote, now: dependencies.now() }, dependencies);
  return state === 'open' ? quote : null;
}

const ENDED = { plan: 'free', period: null, cancelledAt: null } as const;

/** The free plan applies from then on. Running deployments continue; none can start beyond its caps. */
async function endPlan(
  userId: UserId,
  { id, periodStart, why }: Due & { readonly why: string },
  { records }: Pick<PaymentDependencies, 'records'>,
): Promise<Answer> {
  await records.database.transaction().execute(async (trx) => {
    await lockPerson(trx, userId);
    const subscription = await findSubscription(trx, userId);
    // A notice of the vendor may have booked it meanwhile.
    const isPaid = (await findCharge(trx, id))?.status === 'paid';
    if (isPaid || subscription?.period?.end !== periodStart) return;
    await saveSubscription(trx, { ...subscription, ...ENDED, renewalFailure: why });
  });
  return 'answered';
}

import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import {
  findSubscription,
  lockPerson,
  saveSubscription,
  type Subscription,
} from '#records/billing/subscriptions.ts';
import type { JobHandler } from '#records/jobs/job-worker.ts';
import type { Tables } from '#records/tables.ts';
import { payWithCredit, periodEnd, periodPrice } from '#rules/billing/plan-period.ts';
import { planOf } from '#rules/billing/plans.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { takePayment } from './take-payment.ts';

type RenewalDependencies = Pick<Dependencies, 'records' | 'payments' | 'now'>;

/** Renews or ends a plan whose period has ended, once for each period. */
export function planRenewalHandler(dependencies: RenewalDependencies): JobHandler<'plan-renewals'> {
  const { database } = dependencies.records;
  return async ({ data: { userId }, isLast }) => {
    const answer = await database.transaction().execute((trx) => renew(trx, userId, dependencies));
    if (answer === 'answered') return 'done';
    return isLast ? { deadLetter: 'payment_unanswered', detail: answer.problem } : { retry: answer.problem };
  };
}

async function renew(
  trx: Transaction<Tables>,
  userId: UserId,
  dependencies: Pick<Dependencies, 'payments' | 'now'>,
): Promise<'answered' | { readonly problem: string }> {
  const now = dependencies.now();
  await lockPerson(trx, userId);
  const subscription = await findSubscription(trx, userId);
  const period = subscription?.period;
  if (!subscription || !period || period.end > now) return 'answered';
  if (subscription.cancelledAt !== null) return endPlan(trx, subscription, null);
  const { plan, interval, chosenAt } = subscription;
  const next = { start: period.end, end: periodEnd(chosenAt, interval, period.end) };
  const payment = payWithCredit(periodPrice(planOf(plan), interval), subscription.credit);
  const refused = await takePayment(
    trx,
    {
      id: renewalId(userId, next.start),
      userId,
      kind: 'renewal',
      plan,
      interval,
      periodStart: next.start,
      periodEnd: next.end,
      price: payment.price,
      creditUsed: payment.creditUsed,
      amount: payment.due,
      paidAt: now,
    },
    dependencies,
  );
  // Without an answer it is retried; a refusal ends the plan.
  if (refused?.code === 'unavailable') return { problem: refused.message };
  if (refused) return endPlan(trx, subscription, refused.message);
  await saveSubscription(trx, {
    ...subscription,
    period: { ...next, price: payment.price },
    credit: payment.creditLeft,
  });
  return 'answered';
}

/** The free plan applies from then on. Running deployments continue; none can start beyond its caps. */
async function endPlan(
  trx: Transaction<Tables>,
  subscription: Subscription,
  failure: string | null,
): Promise<'answered'> {
  await saveSubscription(trx, {
    ...subscription,
    plan: 'free',
    period: null,
    cancelledAt: null,
    renewalFailure: failure,
  });
  return 'answered';
}

/** A UUID of version 8, derived from the renewed period: the same renewal has the same id after any crash. */
function renewalId(userId: UserId, start: Instant): string {
  const hex = createHash('sha256')
    .update(`${userId} ${isoText(start)}`)
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

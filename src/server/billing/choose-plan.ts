import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { billingEndpoints } from '#contract/billing.ts';
import { findOwnPayment } from '#records/billing/payments.ts';
import {
  findSubscription,
  lockPerson,
  readPlanUse,
  saveSubscription,
} from '#records/billing/subscriptions.ts';
import type { Tables } from '#records/tables.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { isRefused, type Refused } from '../http/refusal.ts';
import { type PlanChoice, planStep } from './plan-step.ts';
import { showBilling } from './show-billing.ts';
import { showPayment } from './show-payment.ts';
import { takePayment } from './take-payment.ts';

/** Plan, payment and credit change atomically; the choices of one user run one at a time. */
export const choosePlan: Call<typeof billingEndpoints.choosePlan> = async (
  { body, caller, repetitionId },
  dependencies,
) => {
  const { database } = dependencies.records;
  const { userId } = caller;
  const id = repetitionId ?? randomUUID();
  const refused = await database.transaction().execute(async (trx) => {
    await lockPerson(trx, userId);
    // A repeat of a request whose first answer was lost.
    if (await findOwnPayment(trx, { id, userId })) return null;
    return choose(trx, { id, userId, choice: body }, dependencies);
  });
  if (refused) return refused;
  const payment = await findOwnPayment(database, { id, userId });
  return {
    billing: await showBilling(database, userId, dependencies),
    payment: payment ? showPayment(payment) : null,
  };
};

type Chosen = { readonly id: string; readonly userId: UserId; readonly choice: PlanChoice };

async function choose(
  trx: Transaction<Tables>,
  { id, userId, choice }: Chosen,
  dependencies: Dependencies,
): Promise<Refused | null> {
  const now = dependencies.now();
  const subscription = await findSubscription(trx, userId);
  const step = planStep(choice, { subscription, use: await readPlanUse(trx, userId), now });
  if (isRefused(step)) return step;
  const { change, period } = step;
  if (period) {
    const refused = await takePayment(
      trx,
      {
        id,
        userId,
        kind: subscription?.period ? 'change' : 'start',
        ...choice,
        periodStart: period.start,
        periodEnd: period.end,
        price: change.price,
        creditUsed: change.creditUsed,
        amount: change.due,
        paidAt: now,
      },
      dependencies,
    );
    if (refused) return refused;
  }
  await saveSubscription(trx, {
    userId,
    ...choice,
    chosenAt: now,
    period,
    credit: change.creditLeft,
    cancelledAt: null,
    renewalFailure: null,
  });
  return null;
}

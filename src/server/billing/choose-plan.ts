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
import { findOpenPlanCharge } from '#records/payments/charges.ts';
import type { Tables } from '#records/tables.ts';
import type { PlanQuote } from '#rules/billing/plan-quote.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { isRefused, type Refused } from '../http/refusal.ts';
import { giveUpOther, IN_FLIGHT, openPlanPayment, takePlanPayment } from './pay-plan.ts';
import { type PlanChoice, planStep } from './plan-step.ts';
import { showBilling } from './show-billing.ts';
import { showPayment } from './show-payment.ts';

/** The plan changes with the payment and not before it; the choices of one user come one after the other. */
export const choosePlan: Call<typeof billingEndpoints.choosePlan> = async (
  { body, caller, repetitionId },
  dependencies,
) => {
  const { database } = dependencies.records;
  const { userId } = caller;
  const id = repetitionId ?? randomUUID();
  const standing = await giveUpOther({ id, userId }, dependencies);
  if (standing) return standing;
  const opened = await database.transaction().execute(async (trx) => {
    await lockPerson(trx, userId);
    // A repeat of a request whose first answer was lost.
    if (await findOwnPayment(trx, { id, userId })) return null;
    return open(trx, { id, userId, choice: body }, dependencies);
  });
  if (opened !== null && isRefused(opened)) return opened;
  const taken = opened && (await takePlanPayment({ id, quote: opened }, dependencies));
  if (taken?.taken === 'refused') return taken.refused;
  const payment = await findOwnPayment(database, { id, userId });
  return {
    billing: await showBilling(database, userId, dependencies),
    payment: payment ? showPayment(payment) : null,
    payment_page: taken?.taken === 'to_confirm' ? taken.pageUrl : null,
  };
};

type Chosen = { readonly id: string; readonly userId: UserId; readonly choice: PlanChoice };

/** What is left to take; null where nothing is. */
async function open(
  trx: Transaction<Tables>,
  { id, userId, choice }: Chosen,
  dependencies: Dependencies,
): Promise<PlanQuote | Refused | null> {
  const now = dependencies.now();
  const other = await findOpenPlanCharge(trx, userId);
  if (other?.id === id) return other.quote as PlanQuote;
  if (other !== undefined) return IN_FLIGHT;
  const subscription = await findSubscription(trx, userId);
  const step = planStep(choice, { subscription, use: await readPlanUse(trx, userId), now });
  if (isRefused(step)) return step;
  const { change, period } = step;
  if (period === null) {
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
  const quote: PlanQuote = {
    kind: subscription?.period ? 'change' : 'start',
    ...choice,
    periodStart: period.start,
    periodEnd: period.end,
    price: change.price,
    creditUsed: change.creditUsed,
    amount: change.due,
    creditLeft: change.creditLeft,
  };
  const state = await openPlanPayment(trx, { id, userId, quote, now }, dependencies);
  return state === 'open' ? quote : null;
}

import type { Billing, billingEndpoints } from '#contract/billing.ts';
import { findSubscription, lockPerson, saveSubscription } from '#records/billing/subscriptions.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { refuse, type Refused } from '../http/refusal.ts';
import { showBilling } from './show-billing.ts';

export const cancelPlan: Call<typeof billingEndpoints.cancelPlan> = ({ caller }, dependencies) =>
  setCancelled(caller.userId, dependencies.now(), dependencies);

export const keepPlan: Call<typeof billingEndpoints.keepPlan> = ({ caller }, dependencies) =>
  setCancelled(caller.userId, null, dependencies);

/** Repeating the request changes nothing. */
async function setCancelled(
  userId: UserId,
  at: Instant | null,
  dependencies: Dependencies,
): Promise<Billing | Refused> {
  const { database } = dependencies.records;
  const refused = await database.transaction().execute(async (trx) => {
    await lockPerson(trx, userId);
    const subscription = await findSubscription(trx, userId);
    if (!subscription?.period) return refuse('illegal_move', 'You have no paid plan.');
    const cancelledAt = at === null ? null : (subscription.cancelledAt ?? at);
    await saveSubscription(trx, { ...subscription, cancelledAt });
    return null;
  });
  return refused ?? showBilling(database, userId, dependencies);
}

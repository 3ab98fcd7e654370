import { findSubscription } from '#records/billing/subscriptions.ts';
import { builderRefusal, planHeldTo, planOf } from '#rules/billing/plans.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { refuse, type Refused } from '../http/refusal.ts';

/** Null where the caller's plan includes the builder. */
export async function refuseBuilder(
  userId: UserId,
  { records, config }: Pick<Dependencies, 'records' | 'config'>,
): Promise<Refused | null> {
  const subscription = await findSubscription(records.database, userId);
  const planId = planHeldTo(subscription?.plan, config.needsPlan);
  const sentence = planId === null ? null : builderRefusal(planOf(planId));
  return sentence === null ? null : refuse('plan_limit', sentence, { details: { plan: planId } });
}

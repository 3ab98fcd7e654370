import type { Transaction } from 'kysely';
import { findSubscription, lockPerson, readPlanUse } from '#records/billing/subscriptions.ts';
import type { Tables } from '#records/tables.ts';
import { planHeldTo, planOf, planRefusal } from '#rules/billing/plans.ts';
import type { UserId } from '#units/identifiers.ts';
import { fromMicro, type Micro } from '#units/money.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { refuse, type Refused } from '../../http/refusal.ts';

type Wanted = {
  readonly userId: UserId;
  readonly investment: Micro;
  /** An existing deployment that is to trade (again). */
  readonly resumed?: string;
};

/**
 * Null when one more active deployment fits the caller's plan. Locks the user's row until the transaction ends, so that
 * concurrent requests cannot exceed the caps.
 */
export async function refusePlan(
  trx: Transaction<Tables>,
  { userId, investment, resumed }: Wanted,
  { config }: Pick<Dependencies, 'config'>,
): Promise<Refused | null> {
  await lockPerson(trx, userId);
  const planId = planHeldTo((await findSubscription(trx, userId))?.plan, config.needsPlan);
  if (planId === null) return null;
  const use = await readPlanUse(trx, userId, resumed ?? null);
  const sentence = planRefusal(planOf(planId), use, investment);
  if (sentence === null) return null;
  return refuse('plan_limit', sentence, {
    ...(resumed === undefined ? { field: 'investment_amount' } : {}),
    details: {
      plan: planId,
      active_deployments: use.activeDeployments,
      total_investment: fromMicro(use.totalInvestment),
    },
  });
}

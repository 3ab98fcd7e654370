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
  /** The minimum of the strategy of a new deployment. */
  readonly least?: Micro;
  /** An existing deployment that is to trade (again), or to have this amount. */
  readonly resumed?: string;
  /** Money is added to it: no more deployments trade than before. */
  readonly adds?: boolean;
};

/**
 * Null when one more active deployment, or more money in one, fits the caller's plan. Locks the user's row until the transaction ends, so that
 * concurrent requests cannot exceed the caps.
 */
export async function refusePlan(
  trx: Transaction<Tables>,
  { userId, investment, least, resumed, adds = false }: Wanted,
  { config }: Pick<Dependencies, 'config'>,
): Promise<Refused | null> {
  await lockPerson(trx, userId);
  const planId = planHeldTo((await findSubscription(trx, userId))?.plan, config.needsPlan);
  if (planId === null) return null;
  const use = await readPlanUse(trx, userId, resumed ?? null);
  const counted = adds ? { ...use, activeDeployments: 0 } : use;
  const sentence = planRefusal(planOf(planId), counted, investment, least);
  if (sentence === null) return null;
  return refuse('plan_limit', sentence, {
    ...(adds ? { field: 'amount' } : resumed === undefined && { field: 'investment_amount' }),
    details: {
      plan: planId,
      active_deployments: use.activeDeployments,
      total_investment: fromMicro(use.totalInvestment),
    },
  });
}

import type { Kysely } from 'kysely';
import type { Billing, Subscription as Shown } from '#contract/billing.ts';
import { findSubscription, readPlanUse, type Subscription } from '#records/billing/subscriptions.ts';
import type { Tables } from '#records/tables.ts';
import { payWithCredit, periodPrice } from '#rules/billing/plan-period.ts';
import { planHeldTo, planOf } from '#rules/billing/plans.ts';
import type { UserId } from '#units/identifiers.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import type { Dependencies } from '../http/dependencies.ts';

export async function showBilling(
  database: Kysely<Tables>,
  userId: UserId,
  { config, payments }: Dependencies,
): Promise<Billing> {
  const [subscription, use] = await Promise.all([
    findSubscription(database, userId),
    readPlanUse(database, userId),
  ]);
  return {
    subscription: subscription ? showSubscription(subscription) : null,
    held_to: planHeldTo(subscription?.plan, config.needsPlan),
    active_deployments: use.activeDeployments,
    total_investment: fromMicro(use.totalInvestment),
    takes_money: payments.takesMoney,
  };
}

function showSubscription({ plan, interval, period, credit, ...rest }: Subscription): Shown {
  const renews = period !== null && rest.cancelledAt === null;
  const next = renews ? payWithCredit(periodPrice(planOf(plan), interval), credit).due : null;
  return {
    plan,
    interval,
    chosen_at: isoText(rest.chosenAt),
    period_end: period && isoText(period.end),
    next_payment: next === null ? null : fromMicro(next),
    credit: fromMicro(credit),
    cancelled_at: rest.cancelledAt === null ? null : isoText(rest.cancelledAt),
    renewal_failure: rest.renewalFailure,
  };
}

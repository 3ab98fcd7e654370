import type { Subscription } from '#records/billing/subscriptions.ts';
import { type PaidPeriod, type PlanChange, periodEnd, planChange } from '#rules/billing/plan-period.ts';
import { planMisfit, planOf, type PlanId, type PlanInterval, type PlanUse } from '#rules/billing/plans.ts';
import type { Instant } from '#units/instant.ts';
import { ZERO_MICRO } from '#units/money.ts';
import { refuse, type Refused } from '../http/refusal.ts';

export type PlanChoice = { readonly plan: PlanId; readonly interval: PlanInterval };

type PlanStep = {
  readonly change: PlanChange;
  /** Null on the free plan. */
  readonly period: PaidPeriod | null;
};

type From = {
  readonly subscription: Subscription | undefined;
  readonly use: PlanUse;
  readonly now: Instant;
};

/** What choosing this plan now would do, or why it cannot be chosen. */
export function planStep({ plan: id, interval }: PlanChoice, from: From): PlanStep | Refused {
  const { subscription, use, now } = from;
  const plan = planOf(id);
  if (subscription && subscription.plan === id && (id === 'free' || subscription.interval === interval)) {
    return refuse('already_exists', `You are already on the ${plan.name} plan.`, { field: 'plan' });
  }
  const misfit = planMisfit(plan, use);
  if (misfit !== null) return refuse('plan_limit', misfit, { field: 'plan' });
  const current = subscription?.period ?? null;
  const change = planChange({
    plan,
    interval,
    current: current && current.end > now ? current : null,
    credit: subscription?.credit ?? ZERO_MICRO,
    now,
  });
  if (id === 'free') return { change, period: null };
  return { change, period: { price: change.price, start: now, end: periodEnd(now, interval, now) } };
}

import type { billingEndpoints } from '#contract/billing.ts';
import { findSubscription, readPlanUse } from '#records/billing/subscriptions.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import type { Call } from '../http/call.ts';
import { isRefused } from '../http/refusal.ts';
import { planStep } from './plan-step.ts';

export const quotePlan: Call<typeof billingEndpoints.quotePlan> = async (
  { query, caller },
  { records, now },
) => {
  const [subscription, use] = await Promise.all([
    findSubscription(records.database, caller.userId),
    readPlanUse(records.database, caller.userId),
  ]);
  const step = planStep(query, { subscription, use, now: now() });
  if (isRefused(step)) return step;
  const { change, period } = step;
  return {
    ...query,
    price: fromMicro(change.price),
    unused: fromMicro(change.unused),
    credit_used: fromMicro(change.creditUsed),
    amount_due: fromMicro(change.due),
    credit_left: fromMicro(change.creditLeft),
    renews_at: period && isoText(period.end),
  };
};

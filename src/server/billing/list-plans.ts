import type { billingEndpoints } from '#contract/billing.ts';
import { PLANS, pricePerMonth } from '#rules/billing/plans.ts';
import { fromMicro } from '#units/money.ts';
import type { Call } from '../http/call.ts';

export const listPlans: Call<typeof billingEndpoints.listPlans> = async () =>
  PLANS.map((plan) => ({
    id: plan.id,
    name: plan.name,
    price: plan.monthlyPrice,
    yearly_price: pricePerMonth(plan, 'yearly'),
    interval: 'month' as const,
    isPopular: plan.isPopular,
    features: [...plan.features],
    max_active_deployments: plan.maxActiveDeployments,
    max_total_investment: fromMicro(plan.maxTotalInvestment),
  }));

// The four plans, their prices and their caps (specification, section 9). A yearly price is 20% off the monthly one,
// rounded to whole dollars.
import { type Micro, toMicro, ZERO_MICRO } from '#units/money.ts';
import { dollars } from '../dollars.ts';

export const PLAN_IDS = ['free', 'basic', 'pro', 'enterprise'] as const;
export type PlanId = (typeof PLAN_IDS)[number];
export const PLAN_INTERVALS = ['monthly', 'yearly'] as const;
export type PlanInterval = (typeof PLAN_INTERVALS)[number];

export type Plan = {
  readonly id: PlanId;
  readonly name: string;
  /** Whole dollars a month. */
  readonly monthlyPrice: number;
  readonly isPopular: boolean;
  /** Null is unlimited. */
  readonly maxActiveDeployments: number | null;
  readonly maxTotalInvestment: Micro;
  /** Whether strategies of one's own can be built. */
  readonly hasBuilder: boolean;
  readonly features: readonly string[];
};

export const PLANS: readonly Plan[] = [
  {
    id: 'free',
    name: 'Free',
    monthlyPrice: 0,
    isPopular: false,
    maxActiveDeployments: 1,
    maxTotalInvestment: toMicro(1_000),
    hasBuilder: false,
    features: [
      '1 active strategy',
      'Up to $1000 investment',
      'Semi-automated trading',
      'Basic analytics',
      'Email support',
    ],
  },
  {
    id: 'basic',
    name: 'Basic',
    monthlyPrice: 29,
    isPopular: false,
    maxActiveDeployments: 3,
    maxTotalInvestment: toMicro(50_000),
    hasBuilder: false,
    features: [
      '3 active strategies',
      'Up to $50,000 investment',
      'Fully automated trading',
      'Advanced analytics',
      'Custom alerts',
    ],
  },
  {
    id: 'pro',
    name: 'Pro',
    monthlyPrice: 79,
    isPopular: true,
    maxActiveDeployments: 10,
    maxTotalInvestment: toMicro(250_000),
    hasBuilder: true,
    features: [
      '10 active strategies',
      'Up to $250,000 investment',
      'Custom strategy builder',
      'Portfolio optimization',
    ],
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    monthlyPrice: 199,
    isPopular: false,
    maxActiveDeployments: null,
    maxTotalInvestment: toMicro(10_000_000),
    hasBuilder: true,
    features: [
      'Unlimited strategies',
      'Up to $10,000,000 investment',
      'API access',
      'Service level agreement',
    ],
  },
];

export function planOf(id: PlanId): Plan {
  return PLANS.find((plan) => plan.id === id)!;
}

/** The plan whose caps apply; null where a client without a plan is not limited. */
export function planHeldTo(chosen: PlanId | undefined, needsPlan: boolean): PlanId | null {
  return chosen ?? (needsPlan ? 'free' : null);
}

/** The price for a month of a plan, in whole dollars, paid monthly or yearly. */
export function pricePerMonth(plan: Plan, interval: PlanInterval): number {
  return interval === 'monthly' ? plan.monthlyPrice : Math.round((plan.monthlyPrice * 4) / 5);
}

/**
 * What counts towards a plan: deployments that trade or wait to, and the money of all that have not ended, paused ones
 * included.
 */
export type PlanUse = { readonly activeDeployments: number; readonly totalInvestment: Micro };

/**
 * Null when one more deployment of this amount fits the plan, else the sentence that says which cap it passes. `least` is the
 * minimum of the strategy, where less could be deployed instead.
 */
export function planRefusal(
  plan: Plan,
  use: PlanUse,
  investment: Micro,
  least: Micro = ZERO_MICRO,
): string | null {
  const { maxActiveDeployments, maxTotalInvestment, name } = plan;
  if (maxActiveDeployments !== null && use.activeDeployments >= maxActiveDeployments) {
    const strategies =
      maxActiveDeployments === 1 ? '1 active strategy' : `${maxActiveDeployments} active strategies`;
    return `The ${name} plan allows ${strategies}. Pause or stop one, or choose a larger plan.`;
  }
  if (least > maxTotalInvestment)
    return `This strategy needs ${dollars(least)}, and the ${name} plan allows a total investment of ${dollars(maxTotalInvestment)}. Practise it, which needs no plan, or choose a larger plan.`;
  if (use.totalInvestment + investment > maxTotalInvestment) {
    return `The ${name} plan allows a total investment of ${dollars(maxTotalInvestment)}. Lower the amount or choose a larger plan.`;
  }
  return null;
}

/** Null when what runs now fits the plan, else the sentence that says which cap it passes. */
export function planMisfit(plan: Plan, { activeDeployments, totalInvestment }: PlanUse): string | null {
  const { maxActiveDeployments, maxTotalInvestment, name } = plan;
  if (maxActiveDeployments !== null && activeDeployments > maxActiveDeployments) {
    return `You have ${activeDeployments} active strategies and the ${name} plan allows ${maxActiveDeployments}. Pause or stop some first, or choose a larger plan.`;
  }
  if (totalInvestment > maxTotalInvestment) {
    return `You have invested ${dollars(totalInvestment)} and the ${name} plan allows ${dollars(maxTotalInvestment)}. Stop a strategy first, or choose a larger plan.`;
  }
  return null;
}

/** Null when the plan includes the builder, else the sentence that says which do. */
export function builderRefusal({ name, hasBuilder }: Plan): string | null {
  if (hasBuilder) return null;
  const others = PLANS.filter((plan) => plan.hasBuilder).map((plan) => plan.name);
  return `The ${name} plan does not include the custom strategy builder. Choose ${others.join(' or ')}.`;
}

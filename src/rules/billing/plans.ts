// The four plans, their prices and their caps (specification, section 9). A yearly price is 20% off the monthly one,
// rounded to whole dollars.
import { type Micro, toMicro } from '#units/money.ts';
import { dollars } from '../dollars.ts';

export type PlanId = 'free' | 'basic' | 'pro' | 'enterprise';
export type PlanInterval = 'monthly' | 'yearly';

export type Plan = {
  readonly id: PlanId;
  readonly name: string;
  /** Whole dollars a month. */
  readonly monthlyPrice: number;
  readonly isPopular: boolean;
  /** Null is unlimited. */
  readonly maxActiveDeployments: number | null;
  readonly maxTotalInvestment: Micro;
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
    features: [
      'Unlimited strategies',
      'Up to $10,000,000 investment',
      'API access',
      'Service level agreement',
    ],
  },
];

/** The price for a month of a plan, in whole dollars, paid monthly or yearly. */
export function pricePerMonth(plan: Plan, interval: PlanInterval): number {
  return interval === 'monthly' ? plan.monthlyPrice : Math.round((plan.monthlyPrice * 4) / 5);
}

export type PlanUse = { readonly activeDeployments: number; readonly totalInvestment: Micro };

/** Null when one more deployment of this amount fits the plan, else the sentence that says which cap it passes. */
export function planRefusal(plan: Plan, use: PlanUse, investment: Micro): string | null {
  const { maxActiveDeployments, maxTotalInvestment, name } = plan;
  if (maxActiveDeployments !== null && use.activeDeployments >= maxActiveDeployments) {
    const strategies =
      maxActiveDeployments === 1 ? '1 active strategy' : `${maxActiveDeployments} active strategies`;
    return `The ${name} plan allows ${strategies}. Stop one of yours or choose a larger plan.`;
  }
  if (use.totalInvestment + investment > maxTotalInvestment) {
    return `The ${name} plan allows a total investment of ${dollars(maxTotalInvestment)}. Lower the amount or choose a larger plan.`;
  }
  return null;
}

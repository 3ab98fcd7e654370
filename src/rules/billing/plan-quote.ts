// What a plan costs as it was asked for, kept until it is paid.
import type { PlanId, PlanInterval } from './plans.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';

export type PlanQuote = {
  readonly kind: 'start' | 'change' | 'renewal';
  readonly plan: PlanId;
  readonly interval: PlanInterval;
  readonly periodStart: Instant;
  readonly periodEnd: Instant;
  readonly price: Micro;
  readonly creditUsed: Micro;
  readonly amount: Micro;
  readonly creditLeft: Micro;
};

// The chosen plan in the address, so that /billing still knows it after a reload.
import { PLAN_IDS, PLAN_INTERVALS } from '#rules/billing/plans.ts';
import type { PlanChoice } from './billing-queries.ts';

/** Specification section 2: the next path is /account unless another was given. */
export const AFTER_BILLING = '/account';

export function billingAddress({ plan, interval }: PlanChoice, next: string): string {
  const query = new URLSearchParams({ plan, interval });
  if (next !== AFTER_BILLING) query.set('next', next);
  return `/billing?${query}`;
}

export function receiptAddress(id: string, next: string = AFTER_BILLING): string {
  const query = new URLSearchParams({ receipt: id });
  if (next !== AFTER_BILLING) query.set('next', next);
  return `/billing?${query}`;
}

/** The plan that was chosen, from the address or else from what was handed over; null without one. */
export function readChoice(query: URLSearchParams, state: unknown): PlanChoice | null {
  const handed = isRecord(state) && isRecord(state.plan) ? state.plan : {};
  const plan = PLAN_IDS.find((id) => id === (query.get('plan') ?? handed.id));
  const interval = PLAN_INTERVALS.find((one) => one === (query.get('interval') ?? handed.interval));
  return plan === undefined ? null : { plan, interval: interval ?? 'monthly' };
}

/** Only paths of this app: an address from outside must not lead a person away after paying. */
export function readNext(query: URLSearchParams, state: unknown): string {
  const asked = query.get('next') ?? (isRecord(state) ? state.next : undefined);
  return typeof asked === 'string' && /^\/(?![/\\])/.test(asked) ? asked : AFTER_BILLING;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

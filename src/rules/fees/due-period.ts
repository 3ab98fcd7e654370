import type { DeploymentId } from '#units/identifiers.ts';
import { DAY_MS, type Instant, instant } from '#units/instant.ts';
import { type FeePeriodLength, nextFeePeriodEnd } from './fee-period.ts';

export type BilledPeriods = {
  readonly id: DeploymentId;
  readonly feePeriod: FeePeriodLength;
  readonly billedThrough: Instant | null;
  readonly deployedAt: Instant;
  readonly endedAt: Instant | null;
  /** A commission of one of its executions is an estimate: its broker has not stated it yet. */
  readonly hasEstimates: boolean;
};

/** After so many days without the broker's commissions a closing bill is made with the estimates, and says so. */
export const COMMISSION_WAIT_DAYS = 5;

/** Closing bills of deployments that ended later than this wait for the broker's commissions. */
export function awaitsCommissionsAfter(now: Instant): Instant {
  return instant(now - COMMISSION_WAIT_DAYS * DAY_MS);
}

export type DuePeriod = {
  readonly id: DeploymentId;
  readonly start: Instant;
  readonly end: Instant;
  /** The one that ends with the deployment. */
  readonly isClosing: boolean;
};

/** The oldest period that has ended, was not billed and waits for nothing; null when there is none. */
export function duePeriod(deployment: BilledPeriods, now: Instant): DuePeriod | null {
  const { id, feePeriod, billedThrough, deployedAt, endedAt, hasEstimates } = deployment;
  const start = billedThrough ?? deployedAt;
  const end = nextFeePeriodEnd(feePeriod, start);
  if (endedAt !== null && end >= endedAt) {
    const isAwaited = hasEstimates && endedAt > awaitsCommissionsAfter(now);
    return billedThrough === endedAt || isAwaited ? null : { id, start, end: endedAt, isClosing: true };
  }
  return end <= now ? { id, start, end, isClosing: false } : null;
}

import type { DeploymentId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { type FeePeriodLength, nextFeePeriodEnd } from './fee-period.ts';

export type BilledPeriods = {
  readonly id: DeploymentId;
  readonly feePeriod: FeePeriodLength;
  readonly billedThrough: Instant | null;
  readonly deployedAt: Instant;
  readonly endedAt: Instant | null;
};

export type DuePeriod = {
  readonly id: DeploymentId;
  readonly start: Instant;
  readonly end: Instant;
  /** The one that ends with the deployment. */
  readonly isClosing: boolean;
};

/** The oldest period that has ended and was not billed; null when none has. */
export function duePeriod(deployment: BilledPeriods, now: Instant): DuePeriod | null {
  const { id, feePeriod, billedThrough, deployedAt, endedAt } = deployment;
  const start = billedThrough ?? deployedAt;
  const end = nextFeePeriodEnd(feePeriod, start);
  if (endedAt !== null && end >= endedAt) {
    return billedThrough === endedAt ? null : { id, start, end: endedAt, isClosing: true };
  }
  return end <= now ? { id, start, end, isClosing: false } : null;
}

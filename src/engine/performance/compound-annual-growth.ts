// Compound annual growth by the calendar: (last / first)^(1 / years) − 1 with years of 365.25 days. Used where a
// series has no even spacing; elsewhere annual-return.ts is the product's convention.
import { DAY_MS, type Instant } from '#units/instant.ts';
import { power } from '../math/power.ts';

export function compoundAnnualGrowth(
  first: { readonly at: Instant; readonly value: number },
  last: { readonly at: Instant; readonly value: number },
): number {
  return power(last.value / first.value, 1 / yearsBetween(first.at, last.at)) - 1;
}

export function yearsBetween(from: Instant, to: Instant): number {
  return (to - from) / (365.25 * DAY_MS);
}

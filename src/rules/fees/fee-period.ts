// When the performance fee is measured: at the end of each week or month, whichever applies to a person's account
// (specification, section 9), by the trading clock in UTC. Promises that periods follow each other without gap or
// overlap, also when an account moves from one to the other.
import { DAY_MS, type Instant, instant, instantOfDate, utcDate } from '#units/instant.ts';
import { FEE_DUE_DAYS } from './performance-fee.ts';

export const FEE_PERIODS = ['weekly', 'monthly'] as const;
export type FeePeriodLength = (typeof FEE_PERIODS)[number];

/** The newest end of a period at or before an instant: Monday, or the first of the month, at midnight UTC. */
export function lastFeePeriodEnd(length: FeePeriodLength, at: Instant): Instant {
  const day = instantOfDate(utcDate(at));
  if (length === 'monthly') return instantOfDate(`${utcDate(at).slice(0, 7)}-01`);
  return instant(day - ((day / DAY_MS + DAYS_FROM_MONDAY_OF_1970) % DAYS_OF_WEEK) * DAY_MS);
}

/** The first end of a period after an instant. */
export function nextFeePeriodEnd(length: FeePeriodLength, after: Instant): Instant {
  const last = lastFeePeriodEnd(length, after);
  const span = length === 'weekly' ? DAYS_OF_WEEK : LONGEST_MONTH_DAYS;
  return lastFeePeriodEnd(length, instant(last + span * DAY_MS));
}

export function feeDueAt(periodEnd: Instant): Instant {
  return instant(periodEnd + FEE_DUE_DAYS * DAY_MS);
}

const DAYS_OF_WEEK = 7;
const LONGEST_MONTH_DAYS = 31;
/** 1 January 1970 was a Thursday. */
const DAYS_FROM_MONDAY_OF_1970 = 3;

import { DAY_MS, type Instant, instant } from '#units/instant.ts';

const DAYS_OF_WEEK = 7;
/** 1 January 1970 was a Thursday. */
const DAYS_FROM_SUNDAY_OF_1970 = 4;

/** Support decides on a request to liquidate within 24 hours, not counting Saturdays and Sundays (UTC). */
export function liquidationDecisionDue(requestedAt: Instant): Instant {
  return instant(workingDay(workingDay(requestedAt) + DAY_MS));
}

function workingDay(at: number): number {
  return isWeekend(at) ? workingDay(at + DAY_MS) : at;
}

function isWeekend(at: number): boolean {
  const day = (Math.floor(at / DAY_MS) + DAYS_FROM_SUNDAY_OF_1970) % DAYS_OF_WEEK;
  return day === 0 || day === DAYS_OF_WEEK - 1;
}

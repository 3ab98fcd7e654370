// The day after whose close a retired strategy ends for everybody in it.
import { DAY_MS, instantOfDate, type IsoDate } from '#units/instant.ts';

/** So long at least do the people in it know before. */
export const END_NOTICE_DAYS = 7;
const END_NOTICE_MAX_DAYS = 365;

/** Why a day of the market cannot be the end; null where it can. */
export function endDayProblem(day: IsoDate, today: IsoDate): string | null {
  const days = (instantOfDate(day) - instantOfDate(today)) / DAY_MS;
  if (days < END_NOTICE_DAYS)
    return `Choose a day of the market at least ${END_NOTICE_DAYS} days ahead: whoever is in it is told that long before.`;
  return days > END_NOTICE_MAX_DAYS ? 'Choose a day within a year.' : null;
}

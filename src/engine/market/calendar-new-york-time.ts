// New York wall-clock time to instants, by the United States' daylight-saving rules since 1987.
// Right for every time of day from 03:00 on, which is all that exchange hours need; midnight is an hour off on the two days of
// a change.
import {
  addDays,
  HOUR_MS,
  type Instant,
  type IsoDate,
  instantOfDate,
  isoDate,
  MINUTE_MS,
  utcDate,
} from '#units/instant.ts';

/** The instant of a New York wall-clock time, such as 9 × 60 + 30 for 09:30, on a calendar day. */
export function newYorkInstant(date: IsoDate, minuteOfDay: number): Instant {
  const offsetHours = isDaylightSaving(date) ? 4 : 5;
  return (instantOfDate(date) + minuteOfDay * MINUTE_MS + offsetHours * HOUR_MS) as Instant;
}

/** The calendar day in New York. */
export function newYorkDate(at: Instant): IsoDate {
  const date = utcDate(at);
  return at < newYorkInstant(date, 0) ? addDays(date, -1) : date;
}

/** Day of the week, 0 is Sunday. T. Sakamoto's method: fast, because calendars need it for every day of every series. */
export function weekday(date: IsoDate): number {
  const month = Number(date.slice(5, 7));
  const year = Number(date.slice(0, 4)) - (month < 3 ? 1 : 0);
  const leaps = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return (year + leaps + MONTH_SHIFTS[month - 1]! + Number(date.slice(8, 10))) % 7;
}

/** The nth given weekday of a month, counted from its first day, or from its last when nth is 'last'. */
export function nthWeekday(year: number, month: number, day: number, nth: number | 'last'): IsoDate {
  if (nth === 'last') {
    const lastDate = isoDate(year, month, DAYS_OF_MONTH[month - 1]!);
    return isoDate(year, month, DAYS_OF_MONTH[month - 1]! - ((weekday(lastDate) - day + 7) % 7));
  }
  const first = weekday(isoDate(year, month, 1));
  return isoDate(year, month, 1 + ((day - first + 7) % 7) + 7 * (nth - 1));
}

/** Energy Policy Act of 2005: from 2007 on, second Sunday of March to first of November; before, April to October. */
function isDaylightSaving(date: IsoDate): boolean {
  const year = Number(date.slice(0, 4));
  let bounds = boundsOfYear.get(year);
  if (!bounds) {
    bounds =
      year >= 2007
        ? { from: nthWeekday(year, 3, 0, 2), until: nthWeekday(year, 11, 0, 1) }
        : { from: nthWeekday(year, 4, 0, 1), until: nthWeekday(year, 10, 0, 'last') };
    boundsOfYear.set(year, bounds);
  }
  return date >= bounds.from && date < bounds.until;
}

const boundsOfYear = new Map<number, { from: IsoDate; until: IsoDate }>();

const MONTH_SHIFTS = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4] as const;

/** The last weekday of February is never needed, so leap years do not matter. */
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

// Wall-clock times of London and of Central Europe to instants, by the summer time of Directive 2000/84/EC, which both have
// kept since 1996. Right for every time of day from 03:00 on, which is all that exchange hours need.
import { HOUR_MS, type Instant, type IsoDate, instantOfDate, MINUTE_MS } from '#units/instant.ts';
import { nthWeekday } from '../calendar-new-york-time.ts';

export type EuropeanZone = 'london' | 'central-europe';

export function europeanInstant(zone: EuropeanZone, date: IsoDate, minuteOfDay: number): Instant {
  const offsetHours = (zone === 'london' ? 0 : 1) + (isSummerTime(date) ? 1 : 0);
  return (instantOfDate(date) + minuteOfDay * MINUTE_MS - offsetHours * HOUR_MS) as Instant;
}

/** From the last Sunday of March to the last Sunday of October. */
function isSummerTime(date: IsoDate): boolean {
  const year = Number(date.slice(0, 4));
  let bounds = boundsOfYear.get(year);
  if (!bounds) {
    bounds = { from: nthWeekday(year, 3, SUNDAY, 'last'), until: nthWeekday(year, 10, SUNDAY, 'last') };
    boundsOfYear.set(year, bounds);
  }
  return date >= bounds.from && date < bounds.until;
}

const boundsOfYear = new Map<number, { from: IsoDate; until: IsoDate }>();
const SUNDAY = 0;

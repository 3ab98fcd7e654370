// The trading day that a bar belongs to, from its close alone: the UTC day of the last instant before the close. True
// of New York sessions (they end on their own UTC day) and of crypto days (they end at the next midnight UTC).
import { DAY_MS, type IsoDate } from '#units/instant.ts';

/** Days since 1970-01-01. */
export function tradingDay(closedAt: number): number {
  return Math.floor((closedAt - 1) / DAY_MS);
}

/** Whether the bar is the last one of its day. */
export function endsDay(closedAt: Float64Array, bar: number): boolean {
  return bar + 1 >= closedAt.length || tradingDay(closedAt[bar + 1]!) > tradingDay(closedAt[bar]!);
}

export type CivilDate = { readonly year: number; readonly month: number; readonly day: number };

/** Year, month 1-12 and day of a count of days since 1970-01-01 (Howard Hinnant, chrono-compatible date algorithms). */
export function civilDate(days: number): CivilDate {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** Days since 1970-01-01 of a date; the inverse of civilDate. */
export function dayNumber({ year, month, day }: CivilDate): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The same of a date as it is written. */
export function dayOfDate(date: IsoDate): number {
  const digit = (at: number) => date.charCodeAt(at) - ZERO;
  return dayNumber({
    year: digit(0) * 1_000 + digit(1) * 100 + digit(2) * 10 + digit(3),
    month: digit(5) * 10 + digit(6),
    day: digit(8) * 10 + digit(9),
  });
}

/** The same day this many calendar months earlier, clipped to the length of that month. */
export function monthsBefore(days: number, months: number): number {
  const { year, month, day } = civilDate(days);
  const count = year * 12 + (month - 1) - months;
  const first = { year: Math.floor(count / 12), month: (((count % 12) + 12) % 12) + 1 };
  const next = count + 1;
  const nextFirst = { year: Math.floor(next / 12), month: (((next % 12) + 12) % 12) + 1, day: 1 };
  const length = dayNumber(nextFirst) - dayNumber({ ...first, day: 1 });
  return dayNumber({ ...first, day: Math.min(day, length) });
}

const ZERO = '0'.charCodeAt(0);

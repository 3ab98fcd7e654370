// The trading day that a bar belongs to, from its close alone: the UTC day of the last instant before the close. True
// of New York sessions (they end on their own UTC day) and of crypto days (they end at the next midnight UTC).
import { civilDate, dayNumber } from '#units/civil-date.ts';
import { DAY_MS, type IsoDate, instantOfDate } from '#units/instant.ts';

/** Days since 1970-01-01. */
export function tradingDay(closedAt: number): number {
  return Math.floor((closedAt - 1) / DAY_MS);
}

/** Whether the bar is the last one of its day. */
export function endsDay(closedAt: Float64Array, bar: number): boolean {
  return bar + 1 >= closedAt.length || tradingDay(closedAt[bar + 1]!) > tradingDay(closedAt[bar]!);
}

/** Days since 1970-01-01 of a date as it is written. */
export function dayOfDate(date: IsoDate): number {
  return instantOfDate(date) / DAY_MS;
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

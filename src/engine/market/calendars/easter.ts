// Easter and the feasts that move with it.
import { addDays, type IsoDate, isoDate } from '#units/instant.ts';

/** Gregorian Easter by the method published anonymously in Nature, 20 April 1876 (Meeus, Astronomical Algorithms, chapter 8). */
export function easterSunday(year: number): IsoDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const monthAndDay = h + l - 7 * m + 114;
  return isoDate(year, Math.floor(monthAndDay / 31), (monthAndDay % 31) + 1);
}

export const goodFriday = (year: number) => addDays(easterSunday(year), -2);
export const easterMonday = (year: number) => addDays(easterSunday(year), 1);
export const ascensionDay = (year: number) => addDays(easterSunday(year), 39);
export const whitMonday = (year: number) => addDays(easterSunday(year), 50);

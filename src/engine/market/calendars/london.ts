// The London Stock Exchange: the bank holidays of England and Wales (Banking and Financial Dealings Act 1971, and the royal
// proclamations that move or add some).
import { addDays, type IsoDate, isoDate } from '#units/instant.ts';
import { nthWeekday, weekday } from '../calendar-new-york-time.ts';
import { easterMonday, goodFriday } from './easter.ts';
import { type Exchange, minutes, ofYear } from './exchange.ts';

export const LONDON: Exchange = {
  zone: 'london',
  opens: minutes(8),
  closes: minutes(16, 30),
  closesEarly: minutes(12, 30),
  yearOf: (year) => ({
    closed: [
      nextMonday(isoDate(year, 1, 1)),
      goodFriday(year),
      easterMonday(year),
      ...(year === 2020 ? [] : [nthWeekday(year, 5, MONDAY, 1)]),
      ...(JUBILEES.has(year) ? [] : [nthWeekday(year, 5, MONDAY, 'last')]),
      nthWeekday(year, 8, MONDAY, 'last'),
      ...christmas(year),
      ...ofYear(SPECIAL_CLOSURES, year),
    ],
    early: [previousFriday(isoDate(year, 12, 24)), previousFriday(isoDate(year, 12, 31))],
  }),
};

/** Christmas and Boxing Day; the ones on a weekend are made up for on 27 and 28 December. */
function christmas(year: number): IsoDate[] {
  const madeUpFor = [25, 26].filter((day) => isWeekend(isoDate(year, 12, day))).map((day) => day + 2);
  return [25, 26, ...madeUpFor].map((day) => isoDate(year, 12, day));
}

function nextMonday(date: IsoDate): IsoDate {
  let moved = date;
  while (isWeekend(moved)) moved = addDays(moved, 1);
  return moved;
}

function previousFriday(date: IsoDate): IsoDate {
  let moved = date;
  while (isWeekend(moved)) moved = addDays(moved, -1);
  return moved;
}

const isWeekend = (date: IsoDate) => weekday(date) === 0 || weekday(date) === 6;
const MONDAY = 1;
/** Years whose spring bank holiday moved to a jubilee in June. */
const JUBILEES: ReadonlySet<number> = new Set([2002, 2012, 2022]);
/**
 * The eve of 2000; the jubilees of 2002, 2012 and 2022; the wedding of 2011; Victory in Europe, instead of the first Monday
 * of May 2020; the Queen's funeral; the King's coronation.
 */
const SPECIAL_CLOSURES = [
  '1999-12-31',
  '2002-06-03',
  '2002-06-04',
  '2011-04-29',
  '2012-06-04',
  '2012-06-05',
  '2020-05-08',
  '2022-06-02',
  '2022-06-03',
  '2022-09-19',
  '2023-05-08',
];

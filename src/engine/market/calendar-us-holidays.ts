// The days on which the New York Stock Exchange is closed, or closes early, by NYSE Rule 7.2 and its history.
// Promises to be right from 1998 on; earlier years follow the same rules without their special days.
import { addDays, type IsoDate, isoDate } from '#units/instant.ts';
import { nthWeekday, weekday } from './calendar-new-york-time.ts';
import { goodFriday } from './calendars/easter.ts';

export type UsEquityYear = {
  readonly closed: ReadonlySet<IsoDate>;
  readonly closesEarly: ReadonlySet<IsoDate>;
};

/** Holidays and 13:00 closes of one calendar year. */
export function usEquityYear(year: number): UsEquityYear {
  let found = years.get(year);
  if (!found) {
    const closed = new Set([...holidays(year), ...SPECIAL_CLOSURES.filter((date) => yearOf(date) === year)]);
    const closesEarly = new Set(
      [...earlyCloses(year), ...SPECIAL_EARLY_CLOSES.filter((date) => yearOf(date) === year)].filter(
        (date) => !closed.has(date) && weekday(date) !== SATURDAY && weekday(date) !== SUNDAY,
      ),
    );
    found = { closed, closesEarly };
    years.set(year, found);
  }
  return found;
}

function holidays(year: number): IsoDate[] {
  const days = [
    nthWeekday(year, 2, MONDAY, 3),
    goodFriday(year),
    nthWeekday(year, 5, MONDAY, 'last'),
    nearestWeekday(isoDate(year, 7, 4)),
    nthWeekday(year, 9, MONDAY, 1),
    nthWeekday(year, 11, THURSDAY, 4),
    nearestWeekday(isoDate(year, 12, 25)),
  ];
  // New Year's Day on a Saturday is not moved: the Friday before closes the books of the year.
  const newYear = isoDate(year, 1, 1);
  days.push(weekday(newYear) === SUNDAY ? addDays(newYear, 1) : newYear);
  if (year >= 1998) days.push(nthWeekday(year, 1, MONDAY, 3));
  if (year >= 2022) days.push(nearestWeekday(isoDate(year, 6, 19)));
  return days;
}

function earlyCloses(year: number): IsoDate[] {
  const days = [addDays(nthWeekday(year, 11, THURSDAY, 4), 1), isoDate(year, 12, 24)];
  const eve = isoDate(year, 7, 3);
  // Until 2012 an Independence Day on a Thursday shortened the Friday after it instead of the eve.
  days.push(weekday(eve) === WEDNESDAY && year < 2013 ? isoDate(year, 7, 5) : eve);
  return days;
}

function nearestWeekday(date: IsoDate): IsoDate {
  if (weekday(date) === SATURDAY) return addDays(date, -1);
  return weekday(date) === SUNDAY ? addDays(date, 1) : date;
}

const yearOf = (date: IsoDate) => Number(date.slice(0, 4));

const SUNDAY = 0;
const MONDAY = 1;
const WEDNESDAY = 3;
const THURSDAY = 4;
const SATURDAY = 6;

/** Attacks of 2001; mourning for Presidents Reagan, Ford, G. H. W. Bush and Carter; hurricane Sandy. */
const SPECIAL_CLOSURES = [
  '2001-09-11',
  '2001-09-12',
  '2001-09-13',
  '2001-09-14',
  '2004-06-11',
  '2007-01-02',
  '2012-10-29',
  '2012-10-30',
  '2018-12-05',
  '2025-01-09',
] as IsoDate[];

const SPECIAL_EARLY_CLOSES = ['1999-12-31', '2003-12-26'] as IsoDate[];

const years = new Map<number, UsEquityYear>();

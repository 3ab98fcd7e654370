// Deutsche Börse's Xetra. Its trading calendar has no public holidays of single states; Whit Monday and the Day of German
// Unity were days of rest from 2014 or 2015 to 2021 only.
import { addDays, type IsoDate, isoDate } from '#units/instant.ts';
import { weekday } from '../calendar-new-york-time.ts';
import { easterMonday, goodFriday, whitMonday } from './easter.ts';
import { type Exchange, minutes, ofYear } from './exchange.ts';

export const XETRA: Exchange = {
  zone: 'central-europe',
  opens: minutes(9),
  closes: minutes(17, 30),
  closesEarly: minutes(14),
  yearOf: (year) => ({
    closed: [
      isoDate(year, 1, 1),
      goodFriday(year),
      easterMonday(year),
      isoDate(year, 5, 1),
      isoDate(year, 12, 24),
      isoDate(year, 12, 25),
      isoDate(year, 12, 26),
      isoDate(year, 12, 31),
      ...(year >= 2015 && year <= 2021 ? [whitMonday(year)] : []),
      ...(year >= 2014 && year <= 2021 ? [isoDate(year, 10, 3)] : []),
      ...ofYear(SPECIAL_CLOSURES, year),
    ],
    early: year >= 2010 ? [lastWorkingDay(year)] : [],
  }),
};

/** The last weekday before New Year's Eve. */
function lastWorkingDay(year: number): IsoDate {
  let date = isoDate(year, 12, 30);
  while (weekday(date) === 0 || weekday(date) === 6) date = addDays(date, -1);
  return date;
}

/** Whit Monday of 2007; the quincentenary of the Reformation. */
const SPECIAL_CLOSURES = ['2007-05-28', '2017-10-31'];

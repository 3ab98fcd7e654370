// The Swiss exchange in Zurich. It has no half days.
import { isoDate } from '#units/instant.ts';
import { ascensionDay, easterMonday, goodFriday, whitMonday } from './easter.ts';
import { type Exchange, minutes } from './exchange.ts';

export const SIX: Exchange = {
  zone: 'central-europe',
  opens: minutes(9),
  closes: minutes(17, 30),
  closesEarly: minutes(17, 30),
  yearOf: (year) => ({
    closed: [
      isoDate(year, 1, 1),
      isoDate(year, 1, 2),
      goodFriday(year),
      easterMonday(year),
      isoDate(year, 5, 1),
      ascensionDay(year),
      whitMonday(year),
      isoDate(year, 8, 1),
      isoDate(year, 12, 24),
      isoDate(year, 12, 25),
      isoDate(year, 12, 26),
      isoDate(year, 12, 31),
    ],
    early: [],
  }),
};

// Euronext Paris and Amsterdam. Since 2002 they share one trading calendar; before, each kept holidays of its country.
import { type IsoDate, isoDate } from '#units/instant.ts';
import { ascensionDay, easterMonday, goodFriday, whitMonday } from './easter.ts';
import { type Exchange, minutes } from './exchange.ts';

export const EURONEXT_PARIS = euronext((year) =>
  year <= 2001 ? [whitMonday(year), isoDate(year, 7, 14)] : [],
);

export const EURONEXT_AMSTERDAM = euronext((year) => [
  ...(year <= 2000 ? [ascensionDay(year)] : []),
  ...(year <= 2001 ? [whitMonday(year), isoDate(year, 4, 30)] : []),
]);

function euronext(nationalOf: (year: number) => readonly IsoDate[]): Exchange {
  return {
    zone: 'central-europe',
    opens: minutes(9),
    closes: minutes(17, 30),
    closesEarly: minutes(14, 5),
    yearOf: (year) => {
      const eve = isoDate(year, 12, 31);
      return {
        closed: [
          isoDate(year, 1, 1),
          goodFriday(year),
          easterMonday(year),
          isoDate(year, 5, 1),
          isoDate(year, 12, 25),
          isoDate(year, 12, 26),
          ...(year <= 2001 ? [eve] : []),
          ...nationalOf(year),
        ],
        early: [isoDate(year, 12, 24), eve],
      };
    },
  };
}

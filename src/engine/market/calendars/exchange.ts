// What a calendar needs to know of an exchange: its hours, and the days of a year on which it is closed or closes early.
import type { IsoDate } from '#units/instant.ts';
import type { EuropeanZone } from './european-time.ts';

export type Exchange = {
  readonly zone: EuropeanZone;
  /** Minutes of the wall clock; the close is when continuous trading ends. */
  readonly opens: number;
  readonly closes: number;
  readonly closesEarly: number;
  /** Weekends need not be among the closed days; a closed day among the early ones stays closed. */
  readonly yearOf: (year: number) => ExchangeYear;
};

export type ExchangeYear = { readonly closed: readonly IsoDate[]; readonly early: readonly IsoDate[] };

/** The days of an exchange, each year computed once. */
export function exchangeDays({ yearOf }: Exchange) {
  type Days = { readonly closed: ReadonlySet<IsoDate>; readonly early: ReadonlySet<IsoDate> };
  const years = new Map<string, Days>();
  const daysOf = (date: IsoDate) => {
    const year = date.slice(0, 4);
    let days = years.get(year);
    if (days === undefined) {
      const { closed, early } = yearOf(Number(year));
      days = { closed: new Set(closed), early: new Set(early) };
      years.set(year, days);
    }
    return days;
  };
  return {
    isClosed: (date: IsoDate) => daysOf(date).closed.has(date),
    isEarly: (date: IsoDate) => daysOf(date).early.has(date),
  };
}

/** The special days of a year out of a list. */
export const ofYear = (dates: readonly string[], year: number) =>
  dates.filter((date) => date.startsWith(`${year}-`)) as IsoDate[];

export const minutes = (hour: number, minute = 0) => hour * 60 + minute;

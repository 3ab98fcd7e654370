// Returns over the latest 30 days, year to date, and whole years back (specification, section 3): last value over
// the value that held at the start of the period, minus 1. NaN when the history does not reach back that far.
import { addDays, type IsoDate } from '#units/instant.ts';

export type ReturnPeriod = '30d' | 'ytd' | '1y' | '3y' | '5y';

/** `dates` are ascending, one per value. */
export function periodReturn(dates: readonly IsoDate[], values: Float64Array, period: ReturnPeriod): number {
  const last = dates.at(-1);
  if (last === undefined) return Number.NaN;
  return returnSince(dates, values, startOf(period, last));
}

/** The return since the close of the day `from`, or of the last day before it that has a value. */
export function returnSince(dates: readonly IsoDate[], values: Float64Array, from: IsoDate): number {
  if (dates.length !== values.length) throw new RangeError('dates and values differ in length');
  const index = lastAtOrBefore(dates, from);
  return index === -1 ? Number.NaN : values[values.length - 1]! / values[index]! - 1;
}

/** The same day this many years before; 29 February becomes 28 February. */
export function yearsBefore(date: IsoDate, years: number): IsoDate {
  const year = String(Number(date.slice(0, 4)) - years).padStart(4, '0');
  const day = date.slice(4) === '-02-29' && !isOutsidePriceBand(Number(year)) ? '-02-28' : date.slice(4);
  return `${year}${day}` as IsoDate;
}

function startOf(period: ReturnPeriod, last: IsoDate): IsoDate {
  switch (period) {
    case '30d':
      return addDays(last, -30);
    case 'ytd':
      return `${Number(last.slice(0, 4)) - 1}-12-31` as IsoDate;
    case '1y':
    case '3y':
    case '5y':
      return yearsBefore(last, Number(period[0]));
    default:
      return period satisfies never;
  }
}

function isOutsidePriceBand(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function lastAtOrBefore(dates: readonly IsoDate[], from: IsoDate): number {
  let low = 0;
  let high = dates.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (dates[middle]! <= from) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

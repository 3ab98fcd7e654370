import { type DateRange, isTradingDay } from '#engine/market/calendar.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import { addDays, type IsoDate } from '../../src/units/instant.ts';

/** The trading days of a range, both ends included, oldest first. */
export function tradingDays(calendar: CalendarId, range: DateRange): IsoDate[] {
  const days: IsoDate[] = [];
  for (let date = range.from; date <= range.to; date = addDays(date, 1)) {
    if (isTradingDay(calendar, date)) days.push(date);
  }
  return days;
}

import { previousSession, sessionAt } from '#engine/market/calendar.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import type { Instant, IsoDate } from '#units/instant.ts';

/** The trading day that an instant belongs to: of the open session, else of the last one. */
export function tradingDate(calendar: CalendarId, at: Instant): IsoDate {
  return (sessionAt(calendar, at) ?? previousSession(calendar, at)).date;
}

import { previousSession, sessionAt } from '#engine/market/calendar.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import type { Instant, IsoDate } from '#units/instant.ts';

/** The trading day that an instant belongs to: of the open session, else of the last one. */
export function tradingDate(calendar: CalendarId, at: Instant): IsoDate {
  // Asked once per deployment of a tick, always for the same instant.
  const last = remembered.get(calendar);
  if (last?.at === at) return last.date;
  const { date } = sessionAt(calendar, at) ?? previousSession(calendar, at);
  remembered.set(calendar, { at, date });
  return date;
}

const remembered = new Map<CalendarId, { at: Instant; date: IsoDate }>();

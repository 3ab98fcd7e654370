// Where a vendor's calendar contradicts our rules: an unscheduled closure, other hours, a session on a day without one.
// What closes is obeyed everywhere; what opens waits until our rules know the day.
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, type IsoDate } from '#units/instant.ts';
import {
  type CalendarException,
  nextSession,
  nextTradingDay,
  previousSession,
  previousTradingDay,
  type Session,
  session,
  sessionAt,
  type TradingCalendar,
} from './calendar.ts';
import type { CalendarId, Instrument } from './instrument.ts';

/** Every session from..to inclusive, by a vendor. */
export type VendorDays = {
  readonly calendar: CalendarId;
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly sessions: readonly Session[];
};

export type CalendarExceptions = ReadonlyMap<CalendarId, ReadonlyMap<IsoDate, CalendarException>>;

export const NO_EXCEPTIONS: CalendarExceptions = new Map();

/** They are looked up again only when a vendor says something new: its days are many. */
export function createExceptionMemory(): (said: readonly VendorDays[]) => CalendarExceptions {
  let days: readonly VendorDays[] = [];
  let exceptions: CalendarExceptions = NO_EXCEPTIONS;
  return (said) => {
    if (said.length !== days.length || said.some((one, index) => one !== days[index])) {
      days = said;
      exceptions = new Map(days.map((one) => [one.calendar, findExceptions(one)]));
    }
    return exceptions;
  };
}

/** By date, oldest first. */
export function findExceptions({
  calendar,
  from,
  to,
  sessions,
}: VendorDays): ReadonlyMap<IsoDate, CalendarException> {
  const found = new Map<IsoDate, CalendarException>();
  const theirsOn = new Map(sessions.map((one) => [one.date, one]));
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const [ours, theirs] = [session(calendar, date), theirsOn.get(date) ?? null];
    if (ours?.opensAt !== theirs?.opensAt || ours?.closesAt !== theirs?.closesAt)
      found.set(date, { ours, theirs });
  }
  return found;
}

/** A calendar of our rules with the hours that the vendor says, and without the sessions that it says are not held. */
export function heldCalendar(calendar: CalendarId, exceptions: CalendarExceptions): TradingCalendar {
  const own = exceptions.get(calendar);
  return own === undefined || own.size === 0 ? calendar : { id: calendar, exceptions: own };
}

/** Of an instrument; null when the catalogue does not have it. */
export function tradingCalendarOf(
  symbol: Symbol,
  market: {
    readonly instruments: ReadonlyMap<Symbol, Instrument>;
    readonly exceptions: CalendarExceptions;
  },
): TradingCalendar | null {
  const instrument = market.instruments.get(symbol);
  return instrument === undefined ? null : heldCalendar(instrument.calendar, market.exceptions);
}

/**
 * The last day of our rules whose end has come. A day that is not held ends with the one before it: what takes effect after it
 * takes effect before the next session.
 */
export function lastEndedDay(calendar: CalendarId, now: Instant, exceptions: CalendarExceptions): IsoDate {
  const held = heldCalendar(calendar, exceptions);
  let { date } = previousSession(held, now);
  const next = nextTradingDay(held, date);
  for (let day = nextTradingDay(calendar, date); day < next; day = nextTradingDay(calendar, day)) date = day;
  return date;
}

/** When a day of our rules ended: see lastEndedDay. */
export function dayEndedAt(calendar: CalendarId, day: IsoDate, exceptions: CalendarExceptions): Instant {
  const held = heldCalendar(calendar, exceptions);
  return (session(held, day) ?? session(held, previousTradingDay(held, day))!).closesAt;
}

/**
 * Whether the next session by the vendor, or the one that is open, is one that our rules do not know: an order that leaves now
 * would trade in it.
 */
export function isUnknownSessionNext(
  calendar: CalendarId,
  now: Instant,
  exceptions: CalendarExceptions,
): boolean {
  const held = heldCalendar(calendar, exceptions);
  const own = exceptions.get(calendar);
  if (own === undefined || sessionAt(held, now) !== null) return false;
  const { opensAt } = nextSession(held, now);
  return [...own.values()].some(
    ({ ours, theirs }) =>
      ours === null && theirs !== null && theirs.closesAt > now && theirs.opensAt < opensAt,
  );
}

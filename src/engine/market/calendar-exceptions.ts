// Where a vendor's calendar contradicts our rules: an unscheduled closure, other hours, a session on a day without one.
// What closes is obeyed: nothing is awaited of a session that is not held.
import { addDays, type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import { type Session, session } from './calendar.ts';
import type { CalendarId } from './instrument.ts';

/** Every session from..to inclusive, by a vendor. */
export type VendorDays = {
  readonly calendar: CalendarId;
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly sessions: readonly Session[];
};

/** Null: no session. */
export type CalendarException = { readonly ours: Session | null; readonly theirs: Session | null };

export type CalendarExceptions = ReadonlyMap<CalendarId, ReadonlyMap<IsoDate, CalendarException>>;

export const NO_EXCEPTIONS: CalendarExceptions = new Map();

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

/** The last session that has closed at or before an instant, without those that the vendor says were not held. */
export function lastHeldSession(
  calendar: CalendarId,
  before: Instant,
  exceptions: CalendarExceptions,
): Session {
  for (let date = addDays(utcDate(before), 1); ; date = addDays(date, -1)) {
    const ours = session(calendar, date);
    if (ours === null) continue;
    const exception = exceptions.get(calendar)?.get(date);
    const held = exception === undefined ? ours : exception.theirs;
    if (held !== null && held.closesAt <= before) return held;
  }
}

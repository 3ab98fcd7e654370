// The sessions of the exchange by our rules, corrected by the vendor's list of days to come.
import { type Session, session } from '#engine/market/calendar.ts';
import { addDays, type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import type { SpecialDays } from './listings.ts';

/** The vendor lists days to come only: of past ones our rules decide, and what was learnt before they passed. */
export function sessionOf(date: IsoDate, special: SpecialDays): Session | null {
  return special.has(date) ? (special.get(date) ?? null) : session('us-equity', date);
}

/** The session that is open at an instant. */
export function openSession(at: Instant, special: SpecialDays): Session | null {
  const today = sessionOf(utcDate(at), special);
  return today !== null && today.opensAt <= at && at < today.closesAt ? today : null;
}

/** The trading day of the next opening. */
export function nextOpening(after: Instant, special: SpecialDays): IsoDate {
  for (let date = utcDate(after); ; date = addDays(date, 1)) {
    const found = sessionOf(date, special);
    if (found !== null && found.opensAt > after) return date;
  }
}

/** The last day of a range whose session closed at least so long ago; null when there is none. */
export function lastClosedDay(
  { from, to }: { readonly from: IsoDate; readonly to: IsoDate },
  special: SpecialDays,
  before: Instant,
): IsoDate | null {
  const today = utcDate(before);
  for (let date = to < today ? to : today; date >= from; date = addDays(date, -1)) {
    const found = sessionOf(date, special);
    if (found !== null && found.closesAt <= before) return date;
  }
  return null;
}

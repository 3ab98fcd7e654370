// When each kind of market trades. A session is the half-open interval of one trading day; daily bars are cut by it.
// Pure: everything follows from dates and the rules, for the exchanges from 1998 on.
import {
  addDays,
  DAY_MS,
  type Instant,
  instantOfDate,
  type IsoDate,
  isoDate,
  utcDate,
} from '#units/instant.ts';
import { newYorkInstant, weekday } from './calendar-new-york-time.ts';
import { usEquityYear } from './calendar-us-holidays.ts';
import { EURONEXT_AMSTERDAM, EURONEXT_PARIS } from './calendars/euronext.ts';
import { europeanInstant } from './calendars/european-time.ts';
import { type Exchange, exchangeDays } from './calendars/exchange.ts';
import { LONDON } from './calendars/london.ts';
import { SIX } from './calendars/six.ts';
import { XETRA } from './calendars/xetra.ts';
import type { CalendarId } from './instrument.ts';

export type Session = { readonly date: IsoDate; readonly opensAt: Instant; readonly closesAt: Instant };

/** Null: no session. */
export type CalendarException = { readonly ours: Session | null; readonly theirs: Session | null };

/** Our rules alone, or with what a vendor says against them. */
export type TradingCalendar = CalendarId | HeldCalendar;

export type HeldCalendar = {
  readonly id: CalendarId;
  readonly exceptions: ReadonlyMap<IsoDate, CalendarException>;
};

export type DateRange = { readonly from: IsoDate; readonly to: IsoDate };

export function isTradingDay(calendar: CalendarId, date: IsoDate): boolean {
  if (calendar === 'crypto') return true;
  const day = weekday(date);
  if (day === 0 || day === 6) return false;
  if (calendar === 'us-equity') return !usEquityYear(Number(date.slice(0, 4))).closed.has(date);
  if (calendar === 'forex') return !date.endsWith('-01-01') && !date.endsWith('-12-25');
  return !EUROPEAN[calendar].days.isClosed(date);
}

/** The session of a trading day, null on a day without one. */
export function session(calendar: TradingCalendar, date: IsoDate): Session | null {
  if (typeof calendar !== 'string') {
    const ours = session(calendar.id, date);
    const exception = calendar.exceptions.get(date);
    // What our rules think closed stays closed until they know the day.
    return ours === null || exception === undefined ? ours : exception.theirs;
  }
  return isTradingDay(calendar, date) ? hours(calendar, date) : null;
}

/** The hours that a bar of this date covers, even on a day that the calendar thinks closed: for bars from outside. */
export function hours(calendar: CalendarId, date: IsoDate): Session {
  switch (calendar) {
    case 'crypto':
      return { date, opensAt: instantOfDate(date), closesAt: (instantOfDate(date) + DAY_MS) as Instant };
    case 'forex':
      return {
        date,
        opensAt: newYorkInstant(addDays(date, -1), FOREX_CUT_MINUTE),
        closesAt: newYorkInstant(date, FOREX_CUT_MINUTE),
      };
    case 'us-equity': {
      const early = usEquityYear(Number(date.slice(0, 4))).closesEarly.has(date);
      return {
        date,
        opensAt: newYorkInstant(date, EQUITY_OPEN_MINUTE),
        closesAt: newYorkInstant(date, early ? EQUITY_EARLY_CLOSE_MINUTE : EQUITY_CLOSE_MINUTE),
      };
    }
    default: {
      const { zone, opens, closes, closesEarly, days } = EUROPEAN[calendar];
      return {
        date,
        opensAt: europeanInstant(zone, date, opens),
        closesAt: europeanInstant(zone, date, days.isEarly(date) ? closesEarly : closes),
      };
    }
  }
}

/** The session that is open at an instant: opensAt <= at < closesAt. */
export function sessionAt(calendar: TradingCalendar, at: Instant): Session | null {
  for (const date of [utcDate(at), addDays(utcDate(at), 1)]) {
    const found = session(calendar, date);
    if (found && found.opensAt <= at && at < found.closesAt) return found;
  }
  return null;
}

/** The first session that opens after an instant. */
export function nextSession(calendar: TradingCalendar, after: Instant): Session {
  for (let date = utcDate(after); ; date = addDays(date, 1)) {
    const found = session(calendar, date);
    if (found && found.opensAt > after) return found;
  }
}

/** The last session that has closed at or before an instant. */
export function previousSession(calendar: TradingCalendar, before: Instant): Session {
  for (let date = addDays(utcDate(before), 1); ; date = addDays(date, -1)) {
    const found = session(calendar, date);
    if (found && found.closesAt <= before) return found;
  }
}

export function nextTradingDay(calendar: TradingCalendar, after: IsoDate): IsoDate {
  let date = addDays(after, 1);
  while (!isHeld(calendar, date)) date = addDays(date, 1);
  return date;
}

/** Oldest first: the session that had closed last at `from`, for what happened at its very close, and all later ones. */
export function tradingDaysSince(calendar: TradingCalendar, from: Instant, through: IsoDate): IsoDate[] {
  const dates: IsoDate[] = [];
  let { date } = previousSession(calendar, from);
  for (; date <= through; date = nextTradingDay(calendar, date)) dates.push(date);
  return dates;
}

function isHeld(calendar: TradingCalendar, date: IsoDate): boolean {
  return typeof calendar === 'string' ? isTradingDay(calendar, date) : session(calendar, date) !== null;
}

export function previousTradingDay(calendar: TradingCalendar, before: IsoDate): IsoDate {
  let date = addDays(before, -1);
  while (!isHeld(calendar, date)) date = addDays(date, -1);
  return date;
}

/** The years in which the us-equity calendar knows its special days too; missing days elsewhere prove nothing. */
export const CALENDAR_SPAN: DateRange = { from: isoDate(1998, 1, 1), to: isoDate(2035, 12, 31) };

type European = Exclude<CalendarId, 'us-equity' | 'forex' | 'crypto'>;
const withDays = (exchange: Exchange) => ({ ...exchange, days: exchangeDays(exchange) });
const EUROPEAN: Readonly<Record<European, ReturnType<typeof withDays>>> = {
  xetra: withDays(XETRA),
  'euronext-paris': withDays(EURONEXT_PARIS),
  'euronext-amsterdam': withDays(EURONEXT_AMSTERDAM),
  london: withDays(LONDON),
  six: withDays(SIX),
};

/** NYSE core session 09:30–16:00, early close 13:00 (NYSE Rule 7.2). */
const EQUITY_OPEN_MINUTE = 9 * 60 + 30;
const EQUITY_CLOSE_MINUTE = 16 * 60;
const EQUITY_EARLY_CLOSE_MINUTE = 13 * 60;
/** The currency market's day turns at 17:00 New York. */
const FOREX_CUT_MINUTE = 17 * 60;

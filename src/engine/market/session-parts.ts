// The parts of a session that intraday bars cover: counted from the open, so that the last one may be shorter.
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import {
  hours,
  nextSession,
  previousSession,
  type Session,
  sessionAt,
  type TradingCalendar,
} from './calendar.ts';
import type { CalendarId, IntradayInterval } from './instrument.ts';

export const INTERVAL_MS: Readonly<Record<IntradayInterval, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
};

/** The part in which an instant of a session lies. */
export function partAt(
  { date, opensAt, closesAt }: Session,
  interval: IntradayInterval,
  at: number,
): Session {
  const lengthMs = INTERVAL_MS[interval];
  const begins = opensAt + Math.floor((at - opensAt) / lengthMs) * lengthMs;
  return { date, opensAt: begins as Instant, closesAt: Math.min(begins + lengthMs, closesAt) as Instant };
}

/** The last part that has closed at or before an instant. */
export function previousPart(calendar: TradingCalendar, interval: IntradayInterval, at: Instant): Session {
  const open = sessionAt(calendar, at);
  if (open !== null) {
    const current = partAt(open, interval, at);
    if (current.opensAt > open.opensAt) return partAt(open, interval, current.opensAt - 1);
  }
  const ended = previousSession(calendar, at);
  return partAt(ended, interval, ended.closesAt - 1);
}

/** The parts that close after an instant, one after the other, without end. */
export function* partsAfter(
  calendar: TradingCalendar,
  interval: IntradayInterval,
  after: Instant,
): Generator<Session, never> {
  let day = sessionAt(calendar, after) ?? nextSession(calendar, after);
  let part = partAt(day, interval, Math.max(after, day.opensAt));
  for (;;) {
    yield part;
    if (part.closesAt < day.closesAt) part = partAt(day, interval, part.closesAt);
    else {
      // The sessions of coins follow each other without a break.
      day = sessionAt(calendar, day.closesAt) ?? nextSession(calendar, day.closesAt);
      part = partAt(day, interval, day.opensAt);
    }
  }
}

/** Of a session of the usual length. */
export function barsPerDay(interval: IntradayInterval, calendar: CalendarId): number {
  const { opensAt, closesAt } = hours(calendar, ORDINARY_DAY);
  return Math.ceil((closesAt - opensAt) / INTERVAL_MS[interval]);
}

/** A Wednesday on which no exchange closes early. */
const ORDINARY_DAY = '2024-05-15' as Session['date'];

/** How long something has been tradable since an instant: the time of its sessions alone, counted no further than `limitMs`. */
export function tradedMs(
  calendar: TradingCalendar,
  { from, to, limitMs }: { readonly from: Instant; readonly to: Instant; readonly limitMs: number },
): number {
  let traded = 0;
  let day = sessionAt(calendar, from) ?? nextSession(calendar, from);
  while (day.opensAt < to && traded <= limitMs) {
    traded += Math.min(to, day.closesAt) - Math.max(from, day.opensAt);
    day = sessionAt(calendar, day.closesAt) ?? nextSession(calendar, day.closesAt);
  }
  return traded;
}

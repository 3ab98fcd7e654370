// The sessions that ended since a practice account last looked, with their bars and what their nights do.
import { type ClosedSession, endOfDayEvents } from '#engine/end-of-day/end-of-day-events.ts';
import { barSeries } from '#engine/market/bar-series.ts';
import { heldCalendar } from '#engine/market/calendar-exceptions.ts';
import {
  nextSession,
  previousSession,
  previousTradingDay,
  type Session,
  session as heldSession,
} from '#engine/market/calendar.ts';
import { optionClose } from '#engine/market/derivatives/option-price.ts';
import type { Bar, CalendarId } from '#engine/market/instrument.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import type { EndedSession, PracticeMarket } from '#engine/practice/look.ts';
import type { PracticeAccount } from '#engine/practice/practice-account.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import { barsOf, listActions } from './feed-history.ts';

/** Throws FeedFailed where the feed does not say what a session needs. */
export async function endedSessions(
  feed: MarketDataFeed,
  account: PracticeAccount,
  {
    now,
    marks,
    instruments,
    exceptions,
    isHeldToExpiry,
  }: Pick<PracticeMarket, 'now' | 'marks' | 'instruments' | 'exceptions'> &
    Pick<ClosedSession, 'isHeldToExpiry'>,
): Promise<readonly EndedSession[]> {
  const used = new Set([...instruments.values()].map(({ calendar }) => calendar));
  const sessions = [...used].flatMap((calendar) =>
    sessionsBetween(calendar, account.lookedAt, now).map((one) => ({ ...one, calendar })),
  );
  if (sessions.length === 0) return [];
  const actions = await listActions(feed);
  const first = sessions.reduce((least, { date }) => (date < least ? date : least), sessions[0]!.date);
  const bars = new Map<Symbol, readonly Bar[]>();
  const wanted = { from: addDays(first, -HISTORY_DAYS), to: utcDate(now), actions, now };
  for (const [symbol, instrument] of instruments)
    if (parseOption(symbol) === null) bars.set(symbol, await barsOf(feed, instrument, wanted));
  const markOf = (symbol: Symbol) => (parseOption(symbol) === null ? marks.get(symbol) : undefined);
  /** A night follows a day that is not held as well: with the closes of the day before it. */
  const heldDay = ({ calendar, date }: CalendarSession) => {
    const held = heldCalendar(calendar, exceptions);
    return heldSession(held, date) === null ? previousTradingDay(held, date) : date;
  };
  const barAt = (symbol: Symbol, { date }: Session) => bars.get(symbol)?.find((bar) => bar.date === date);
  return sessions
    .toSorted((one, other) => one.closesAt - other.closesAt)
    .map((session) => ({
      ...session,
      // A session without a bar that is not the newest one had no trade of it.
      openOf: (symbol) => {
        if (heldDay(session) !== session.date) return null;
        return barAt(symbol, session)?.open ?? (isNewest(session, sessions) ? 'awaited' : null);
      },
      eventsOf: (symbol, held, heldOf) => {
        // As in the trader's own end of day, what has no bar of the session closed at its last price.
        const closeOf = (other: Symbol) => closeIn(other, heldDay(session), bars) ?? markOf(other);
        const { calendar, date } = session;
        const closed = { calendar, date, instruments, actions, marks, closeOf, isHeldToExpiry };
        return endOfDayEvents({ symbol, held, heldOf }, closed).events;
      },
    }));
}

type CalendarSession = Session & { readonly calendar: CalendarId };

function isNewest({ calendar, closesAt }: CalendarSession, sessions: readonly CalendarSession[]): boolean {
  return !sessions.some((other) => other.calendar === calendar && other.closesAt > closesAt);
}

/** The sessions that ended in (from, to]. */
function sessionsBetween(calendar: CalendarId, from: Instant, to: Instant): Session[] {
  const ended: Session[] = [];
  let next = nextSession(calendar, previousSession(calendar, from).opensAt);
  while (next.closesAt <= to) {
    if (next.closesAt > from) ended.push(next);
    next = nextSession(calendar, next.opensAt);
  }
  return ended;
}

/** An option's close follows from its underlying's bars, as in the trader's own end of day. */
function closeIn(
  symbol: Symbol,
  date: IsoDate,
  bars: ReadonlyMap<Symbol, readonly Bar[]>,
): number | undefined {
  const option = parseOption(symbol);
  if (option === null) return bars.get(symbol)?.find((bar) => bar.date === date)?.close;
  const known = bars.get(option.underlying) ?? [];
  const row = known.findIndex((bar) => bar.date === date);
  return row < 0 ? undefined : optionClose(option, barSeries(option.underlying, '1d', known), row);
}

/** Enough bars for the volatility of an option. */
const HISTORY_DAYS = 400;

import { expect, it } from 'vitest';
import { addDays, type Instant, instant, type IsoDate, MINUTE_MS } from '#units/instant.ts';
import { dayOrderEndsAt } from '../execution/orders/day-order.ts';
import { isStopTime } from '../execution/stops/protective-stops.ts';
import {
  createExceptionMemory,
  dayEndedAt,
  findExceptions,
  heldCalendar,
  isUnknownSessionNext,
  lastEndedDay,
  type VendorDays,
} from './calendar-exceptions.ts';
import { hours, nextTradingDay, previousSession, session, sessionAt } from './calendar.ts';

const day = (text: string) => text as IsoDate;
const MONDAY = day('2026-11-23');
const TUESDAY = day('2026-11-24');
const afterMonday = hours('us-equity', MONDAY).closesAt;
const { opensAt, closesAt } = hours('us-equity', TUESDAY);
const EARLY = { date: TUESDAY, opensAt, closesAt: instant(closesAt - 180 * MINUTE_MS) };

function days(change: Partial<Record<string, VendorDays['sessions'][number] | null>> = {}): VendorDays {
  const [from, to] = [day('2026-11-16'), day('2026-11-30')];
  const sessions = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const own = change[date];
    const held = own === undefined ? session('us-equity', date) : own;
    if (held !== null) sessions.push(held);
  }
  return { calendar: 'us-equity', from, to, sessions };
}
const exceptionsOf = (given: VendorDays) => new Map([['us-equity', findExceptions(given)] as const]);
const held = (given: VendorDays) => heldCalendar('us-equity', exceptionsOf(given));
const lastAt = (at: Instant, given: VendorDays) => previousSession(held(given), at).date;

it('finds nothing where vendor and rules agree, holidays and half days included', () => {
  expect([...findExceptions(days())]).toEqual([]);
});

it('tells a closure, an early close and a session that our rules do not know', () => {
  const thanksgiving = hours('us-equity', day('2026-11-26'));
  const given = days({ [MONDAY]: null, [TUESDAY]: EARLY, '2026-11-26': thanksgiving });
  expect([...findExceptions(given)]).toEqual([
    [MONDAY, { ours: hours('us-equity', MONDAY), theirs: null }],
    [TUESDAY, { ours: hours('us-equity', TUESDAY), theirs: EARLY }],
    ['2026-11-26', { ours: null, theirs: thanksgiving }],
  ]);
});

it('awaits no session that is not held, and one that closes early from its early close', () => {
  expect(lastAt(afterMonday, days())).toBe(MONDAY);
  expect(lastAt(afterMonday, days({ [MONDAY]: null }))).toBe('2026-11-20');
  expect(lastAt(EARLY.closesAt, days())).toBe(MONDAY);
  expect(lastAt(EARLY.closesAt, days({ [TUESDAY]: EARLY }))).toBe(TUESDAY);
});

it('is our own calendar without exceptions', () => {
  for (let at = opensAt; at < opensAt + 5 * 86_400_000; at = instant(at + 3_600_000))
    expect(previousSession(held(days()), at)).toEqual(previousSession('us-equity', at));
});

const WEDNESDAY = day('2026-11-25');

it('ends a day that is not held with the one before it, so that what takes effect after it is in time', () => {
  const closed = exceptionsOf(days({ [TUESDAY]: null }));
  expect(lastEndedDay('us-equity', afterMonday, new Map())).toBe(MONDAY);
  expect(lastEndedDay('us-equity', instant(afterMonday - 1), closed)).toBe('2026-11-20');
  expect(lastEndedDay('us-equity', afterMonday, closed)).toBe(TUESDAY);
  expect(dayEndedAt('us-equity', TUESDAY, closed)).toBe(afterMonday);
  expect(nextTradingDay(heldCalendar('us-equity', closed), MONDAY)).toBe(WEDNESDAY);
});

it('ends a day that closes early at its early close', () => {
  const early = exceptionsOf(days({ [TUESDAY]: EARLY }));
  expect(lastEndedDay('us-equity', instant(EARLY.closesAt - 1), early)).toBe(MONDAY);
  expect(lastEndedDay('us-equity', EARLY.closesAt, early)).toBe(TUESDAY);
  expect(dayEndedAt('us-equity', TUESDAY, early)).toBe(EARLY.closesAt);
});

it('gives an order until the close of the session that is held, and a stop until then as well', () => {
  const early = held(days({ [TUESDAY]: EARLY }));
  const wednesday = hours('us-equity', WEDNESDAY).closesAt;
  expect(dayOrderEndsAt(early, opensAt)).toBe(EARLY.closesAt);
  expect(dayOrderEndsAt(early, EARLY.closesAt)).toBe(wednesday);
  expect(dayOrderEndsAt(held(days({ [TUESDAY]: null })), opensAt)).toBe(wednesday);
  expect(isStopTime(early, instant(EARLY.closesAt - 6 * MINUTE_MS))).toBe(true);
  expect(isStopTime(early, EARLY.closesAt)).toBe(false);
  expect(isStopTime(held(days({ [TUESDAY]: null })), opensAt)).toBe(false);
});

it('keeps a session that our rules do not know closed, and says when an order would trade in it', () => {
  const thursday = hours('us-equity', day('2026-11-26'));
  const given = days({ '2026-11-26': thursday });
  const isNext = (at: number) => isUnknownSessionNext('us-equity', instant(at), exceptionsOf(given));
  const wednesday = hours('us-equity', WEDNESDAY).closesAt;
  expect(sessionAt(held(given), thursday.opensAt)).toBeNull();
  expect(
    [wednesday - 1, wednesday, thursday.opensAt, thursday.closesAt - 1, thursday.closesAt].map(isNext),
  ).toEqual([false, true, true, true, false]);
});

it('looks up what a vendor says once, and again when it says something else', () => {
  const learn = createExceptionMemory();
  const first = [days()];
  expect(learn(first)).toBe(learn(first));
  expect([
    ...learn([days({ [TUESDAY]: null })])
      .get('us-equity')!
      .keys(),
  ]).toEqual([TUESDAY]);
});

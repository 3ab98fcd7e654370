import { expect, it } from 'vitest';
import { addDays, type Instant, instant, type IsoDate, MINUTE_MS } from '#units/instant.ts';
import { findExceptions, lastHeldSession, type VendorDays } from './calendar-exceptions.ts';
import { hours, previousSession, session } from './calendar.ts';

const day = (text: string) => text as IsoDate;
const MONDAY = day('2026-11-23');
const TUESDAY = day('2026-11-24');
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
const lastAt = (at: Instant, given: VendorDays) => lastHeldSession('us-equity', at, exceptionsOf(given)).date;

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
  const afterMonday = hours('us-equity', MONDAY).closesAt;
  expect(lastAt(afterMonday, days())).toBe(MONDAY);
  expect(lastAt(afterMonday, days({ [MONDAY]: null }))).toBe('2026-11-20');
  expect(lastAt(EARLY.closesAt, days())).toBe(MONDAY);
  expect(lastAt(EARLY.closesAt, days({ [TUESDAY]: EARLY }))).toBe(TUESDAY);
});

it('is our own calendar without exceptions', () => {
  for (let at = opensAt; at < opensAt + 5 * 86_400_000; at = instant(at + 3_600_000))
    expect(lastHeldSession('us-equity', at, new Map())).toEqual(previousSession('us-equity', at));
});

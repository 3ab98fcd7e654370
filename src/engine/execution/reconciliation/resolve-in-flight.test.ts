import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, instant } from '#units/instant.ts';
import { MONDAY, openOrder } from '#tests/support/engine/open-order.ts';
import { msBetween, wallAfter, wallInstantOf, type WallInstant } from '#units/wall-instant.ts';
import { coversOrder, isDayOver, resolveUnlisted, type UnlistedOrder } from './resolve-in-flight.ts';

const LOST = openOrder({ status: 'unknown', reason: { code: 'no_answer' }, sentAt: MONDAY });
const LAG = HOUR_MS;

function resolve(asked: Partial<UnlistedOrder> & { absentSince?: WallInstant | null } = {}) {
  const { absentSince = null, order = LOST, now = TUESDAY, ...given } = asked;
  return resolveUnlisted({
    order: { ...order, absentSince },
    calendar: 'us-equity',
    absence: 'proven',
    isCovered: true,
    reconciledSince: wallInstantOf(MONDAY),
    listLagMs: LAG,
    now,
    brokerNow: wallInstantOf(now),
    ...given,
  });
}

const TUESDAY = instant(MONDAY + DAY_MS);
const beforeTuesday = (ms: number) => wallAfter(wallInstantOf(TUESDAY), -ms);
const SEEN_ONCE = { absentSince: beforeTuesday(2 * LAG) };
const END = { type: 'end', reason: { code: 'never_shown' } };

it('quarantines an order without an answer, and never calls it unsent', () => {
  const order = { ...LOST, status: 'sending' } as const;
  expect(resolve({ order })).toEqual({ type: 'quarantine', reason: { code: 'no_answer' } });
});

it('ends one only when two looks, further apart than the list lag, prove its absence', () => {
  expect(resolve()).toEqual({ type: 'note_absence', since: TUESDAY });
  expect(resolve({ absentSince: beforeTuesday(LAG) })).toEqual({ type: 'none' });
  expect(resolve(SEEN_ONCE)).toEqual(END);
  const order = { ...LOST, status: 'working', visibility: 'shown_earlier' } as const;
  expect(resolve({ ...SEEN_ONCE, order })).toEqual({ type: 'end', reason: { code: 'day_over' } });
});

it('starts over when its absence is contradicted, and not when it cannot be compared', () => {
  expect(resolve({ ...SEEN_ONCE, absence: 'not_proven' })).toEqual({ type: 'note_absence', since: null });
  expect(resolve({ ...SEEN_ONCE, absence: 'unknown' })).toEqual({ type: 'none' });
  expect(resolve({ absence: 'not_proven' })).toEqual({ type: 'none' });
});

it('is nothing for a person while its proof goes on, although positions cannot be compared at the moment', () => {
  const order = { ...LOST, status: 'working', visibility: 'shown_earlier' } as const;
  const late = { order, now: instant(TUESDAY + 3 * DAY_MS), absence: 'unknown' } as const;
  expect(resolve(late)).toEqual({ type: 'quarantine', reason: { code: 'not_listed' } });
  expect(resolve({ ...late, ...SEEN_ONCE })).toEqual({ type: 'none' });
});

it('counts two looks only without a gap between', () => {
  expect(resolve({ ...SEEN_ONCE, reconciledSince: null })).toEqual({ type: 'none' });
  expect(resolve({ ...SEEN_ONCE, reconciledSince: beforeTuesday(LAG) })).toEqual({ type: 'none' });
});

it('ends one beyond the reach of the executions once positions have agreed over a whole session, gaps or not', () => {
  const late = (days: number) => instant(TUESDAY + days * DAY_MS);
  const beyond = { isCovered: false, absentSince: wallInstantOf(late(9)) };
  expect(resolve({ ...beyond, now: late(9) })).toEqual({ type: 'none' });
  expect(resolve({ ...beyond, now: late(10) })).toEqual({ type: 'none' });
  expect(resolve({ ...beyond, now: late(11), reconciledSince: wallInstantOf(late(11)) })).toEqual(END);
  expect(resolve({ ...beyond, now: late(11), reconciledSince: null })).toEqual({ type: 'none' });
  expect(resolve({ ...beyond, now: late(11), absence: 'not_proven' })).toEqual({
    type: 'note_absence',
    since: null,
  });
});

it('ends one whose account agrees with the books again only after a whole session within the executions', () => {
  const agreed = { absence: 'books_agree', absentSince: wallInstantOf(TUESDAY) } as const;
  const after = (days: number) => instant(TUESDAY + days * DAY_MS);
  expect(resolve({ absence: 'books_agree' })).toEqual({ type: 'note_absence', since: TUESDAY });
  expect(resolve({ ...agreed, now: instant(TUESDAY + 2 * LAG) })).toEqual({ type: 'none' });
  expect(resolve({ ...agreed, now: after(2) })).toEqual(END);
  expect(resolve({ ...agreed, now: after(2), isCovered: false })).toEqual({
    type: 'note_absence',
    since: null,
  });
});

it('calls a working order unconfirmed when it should be listed and is not, and never ends it for that', () => {
  const order = openOrder({ status: 'working', sentAt: MONDAY });
  const late = { order, absence: 'not_proven', now: instant(MONDAY + 3 * DAY_MS) } as const;
  expect(resolve({ ...late, now: instant(MONDAY + HOUR_MS) })).toEqual({ type: 'none' });
  expect(resolve({ ...late, reconciledSince: wallInstantOf(late.now) })).toEqual({ type: 'none' });
  expect(resolve(late)).toEqual({ type: 'quarantine', reason: { code: 'not_listed' } });
});

it('knows when an order can no longer fill, and whether executions reach back to it', () => {
  const asked = { order: LOST, calendar: 'us-equity' } as const;
  expect(isDayOver({ ...asked, now: instant(MONDAY + HOUR_MS) })).toBe(false);
  expect(isDayOver({ ...asked, now: TUESDAY })).toBe(true);
  expect(isDayOver({ ...asked, now: TUESDAY, calendar: null })).toBe(false);
  const read = { executionsFrom: MONDAY, keptSince: instant(MONDAY - DAY_MS) };
  expect(coversOrder(LOST, read)).toBe(true);
  expect(coversOrder(LOST, { ...read, executionsFrom: instant(MONDAY + 1) })).toBe(false);
  expect(coversOrder(LOST, { ...read, keptSince: MONDAY })).toBe(false);
});

it('never ends an order after one look, or without proof, for any state of the clocks', () => {
  const at = fc.integer({ min: 0, max: 10 * DAY_MS }).map((ms) => instant(MONDAY + ms));
  fc.assert(
    fc.property(
      fc.record({
        order: fc.constantFrom('sending' as const, 'working' as const, 'unknown' as const),
        isStop: fc.boolean(),
        absence: fc.constantFrom(
          'proven' as const,
          'books_agree' as const,
          'not_proven' as const,
          'unknown' as const,
        ),
        isCovered: fc.boolean(),
        absentSince: fc.option(at.map(wallInstantOf)),
        reconciledSince: fc.option(at.map(wallInstantOf)),
        now: at,
      }),
      ({ order: status, isStop, ...rest }) => {
        const order = openOrder({ status, sentAt: MONDAY, purpose: isStop ? 'protective' : 'rebalance' });
        const transition = resolve({ order, ...rest });
        if (transition.type !== 'end') return;
        const { absence, isCovered, absentSince, reconciledSince, now } = rest;
        expect([absence === 'proven' || (absence === 'books_agree' && isCovered), reconciledSince]).toEqual([
          true,
          expect.anything(),
        ]);
        const agreed = msBetween(absentSince ?? wallInstantOf(now), wallInstantOf(now));
        expect(agreed).toBeGreaterThan(isCovered && absence === 'proven' ? LAG : 6 * HOUR_MS);
      },
    ),
  );
});

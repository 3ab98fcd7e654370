import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, instant } from '#units/instant.ts';
import { MONDAY, openOrder } from '#tests/support/engine/open-order.ts';
import { canBeProvenAbsent, resolveUnlisted, type UnlistedOrder } from './resolve-in-flight.ts';

const LOST = openOrder({ status: 'unknown', reason: { code: 'no_answer' }, sentAt: MONDAY });
const LAG = HOUR_MS;

function resolve(asked: Partial<UnlistedOrder> = {}) {
  return resolveUnlisted({
    order: LOST,
    calendar: 'us-equity',
    absence: 'proven',
    missedSince: null,
    reconciledSince: MONDAY,
    listLagMs: LAG,
    now: instant(MONDAY + DAY_MS),
    ...asked,
  });
}

const SEEN_ONCE = { missedSince: instant(MONDAY + DAY_MS - 2 * LAG) };

it('quarantines an order without an answer, and never calls it unsent', () => {
  const order = { ...LOST, status: 'sending' } as const;
  expect(resolve({ order })).toEqual({ type: 'quarantine', reason: { code: 'no_answer' } });
});

it('ends one only when two looks, further apart than the list lag, prove its absence', () => {
  expect(resolve()).toEqual({ type: 'miss', since: MONDAY + DAY_MS });
  expect(resolve({ missedSince: instant(MONDAY + DAY_MS - LAG) })).toEqual({ type: 'none' });
  expect(resolve(SEEN_ONCE)).toEqual({ type: 'end', reason: { code: 'never_shown' } });
  const order = { ...LOST, status: 'working', visibility: 'shown_earlier' } as const;
  expect(resolve({ ...SEEN_ONCE, order })).toEqual({ type: 'end', reason: { code: 'day_over' } });
});

it('starts over after a gap, and whenever its absence is not proven', () => {
  expect(resolve({ ...SEEN_ONCE, reconciledSince: null }).type).toBe('miss');
  expect(resolve({ ...SEEN_ONCE, reconciledSince: instant(MONDAY + DAY_MS - LAG) }).type).toBe('miss');
  expect(resolve({ ...SEEN_ONCE, absence: 'not_proven' })).toEqual({ type: 'forget' });
  expect(resolve({ ...SEEN_ONCE, absence: 'unknown' })).toEqual({ type: 'none' });
});

it('calls a working order unconfirmed when it should be listed and is not, and never ends it for that', () => {
  const order = openOrder({ status: 'working', sentAt: MONDAY });
  const late = { order, absence: 'not_proven', now: instant(MONDAY + 3 * DAY_MS) } as const;
  expect(resolve({ ...late, now: instant(MONDAY + HOUR_MS) })).toEqual({ type: 'forget' });
  expect(resolve(late).type).toBe('miss');
  expect(resolve({ ...late, ...SEEN_ONCE })).toEqual({ type: 'quarantine', reason: { code: 'not_listed' } });
});

it('can prove an absence only once the day is over, with executions that reach back to the order', () => {
  const asked = { order: LOST, calendar: 'us-equity', historyDays: 7, executionsFrom: MONDAY } as const;
  expect(canBeProvenAbsent({ ...asked, now: instant(MONDAY + HOUR_MS) })).toBe(false);
  expect(canBeProvenAbsent({ ...asked, now: instant(MONDAY + DAY_MS) })).toBe(true);
  const now = instant(MONDAY + DAY_MS);
  expect(canBeProvenAbsent({ ...asked, now, executionsFrom: instant(MONDAY + 1) })).toBe(false);
  expect(canBeProvenAbsent({ ...asked, now: instant(MONDAY + 7 * DAY_MS) })).toBe(false);
  expect(canBeProvenAbsent({ ...asked, now, calendar: null })).toBe(false);
});

it('never ends an order after one look, across a gap, or without proof, for any state of the clocks', () => {
  const at = fc.integer({ min: 0, max: 10 * DAY_MS }).map((ms) => instant(MONDAY + ms));
  fc.assert(
    fc.property(
      fc.record({
        order: fc.constantFrom('sending' as const, 'working' as const, 'unknown' as const),
        isStop: fc.boolean(),
        absence: fc.constantFrom('proven' as const, 'not_proven' as const, 'unknown' as const),
        missedSince: fc.option(at),
        reconciledSince: fc.option(at),
        now: at,
      }),
      ({ order: status, isStop, ...rest }) => {
        const order = openOrder({ status, sentAt: MONDAY, purpose: isStop ? 'protective' : 'rebalance' });
        const transition = resolve({ order, ...rest });
        if (transition.type !== 'end') return;
        const { absence, missedSince, reconciledSince, now } = rest;
        expect(absence).toBe('proven');
        expect(reconciledSince ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(missedSince ?? -1);
        expect(now - (missedSince ?? now)).toBeGreaterThan(LAG);
      },
    ),
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientOrderId, OrderId } from '#units/identifiers.ts';
import { DAY_MS, type Instant, instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { MONDAY, openOrder } from '#tests/support/engine/open-order.ts';
import type { OpenOrder } from '../orders/open-order.ts';
import type { OrderReport } from './order-report.ts';
import {
  applyReport,
  executionsFrom,
  indexReports,
  isAskedAlone,
  mustCancelReappeared,
  needsPositions,
  unexpectedlyWorking,
} from './reconcile-orders.ts';
import { wallAfter, wallInstantOf } from '#units/wall-instant.ts';

const SENT = openOrder({ status: 'working', brokerOrderId: 'B1', sentAt: MONDAY });
const STOP = openOrder({ status: 'working', brokerOrderId: 'B1', sentAt: MONDAY, purpose: 'protective' });

function report(asked: Partial<OrderReport> & { units?: number } = {}): OrderReport {
  const { units = 0, ...given } = asked;
  const { clientOrderId } = SENT.decided;
  return {
    brokerOrderId: 'B1',
    clientOrderId,
    status: 'working',
    filled: toQuantity(units),
    note: '',
    ...given,
  };
}

function apply(order: OpenOrder, given: OrderReport, { now = MONDAY }: { now?: Instant } = {}) {
  return applyReport({ order, report: given, calendar: 'us-equity', now });
}

describe('a report', () => {
  it('without news changes nothing', () => {
    expect(apply(SENT, report())).toEqual({ type: 'none' });
  });

  it('proves an order in flight, with the broker’s id', () => {
    const lost = openOrder({ status: 'unknown', reason: { code: 'no_answer' } });
    expect(apply(lost, report())).toEqual({
      type: 'change',
      status: 'working',
      reason: null,
      brokerOrderId: 'B1',
    });
    expect(apply({ ...SENT, brokerOrderId: null }, report()).type).toBe('change');
  });

  it('gives the reason of a parked order, and keeps a requested cancellation', () => {
    const parked = report({ status: 'attention', note: 'held' });
    expect(apply(SENT, parked)).toMatchObject({
      status: 'working',
      reason: { code: 'parked', said: 'held' },
    });
    const asked = { ...STOP, reason: { code: 'cancel_requested', parked: null } } as const;
    expect(apply(asked, parked)).toMatchObject({ reason: { code: 'cancel_requested', parked: 'held' } });
    expect(apply(asked, report())).toEqual({ type: 'none' });
  });

  it.each(['cancelled', 'rejected', 'expired'] as const)('of an end ends it: %s', (status) => {
    expect(apply(SENT, report({ status, note: 'so it is' }))).toEqual({
      type: 'end',
      reason: { code: status, said: 'so it is' },
    });
  });
});

describe('a report of a cancellation', () => {
  const cancelled = report({ status: 'cancelled', note: 'Die Order ist abgelaufen' });
  const codeAt = (order: OpenOrder, now: Instant) => {
    const transition = apply(order, cancelled, { now });
    return transition.type === 'end' ? transition.reason.code : transition.type;
  };

  it('after the day of a day order is its expiry, in whatever words', () => {
    expect(codeAt(SENT, MONDAY)).toBe('cancelled');
    expect(codeAt(SENT, instant(MONDAY + DAY_MS))).toBe('expired');
  });

  it('of a stop is one at any time', () => {
    expect(codeAt(STOP, instant(MONDAY + 20 * DAY_MS))).toBe('cancelled');
  });
});

describe('a report of more fills than executions', () => {
  const ended = report({ status: 'cancelled', units: 4 });

  it('ends nothing: the order works until the executions are booked', () => {
    expect(apply(SENT, ended)).toMatchObject({ status: 'working', reason: { code: 'fill_begun' } });
    expect(apply({ ...SENT, filled: toQuantity(4) }, ended).type).toBe('end');
  });

  it('needs a person one day after the order’s day', () => {
    const now = instant(MONDAY + 2 * DAY_MS);
    const reason = { code: 'executions_missing', reported: 'cancelled' };
    expect(apply(SENT, ended, { now })).toMatchObject({ status: 'unknown', reason });
  });
});

it('never ends an order whose executions are not all booked, and never calls one filled', () => {
  const statuses = ['working', 'attention', 'filled', 'cancelled', 'expired', 'rejected'] as const;
  fc.assert(
    fc.property(
      fc.record({
        status: fc.constantFrom(...statuses),
        reported: fc.integer({ min: 0, max: 10 }),
        booked: fc.integer({ min: 0, max: 9 }),
        days: fc.integer({ min: 0, max: 10 }),
        isStop: fc.boolean(),
      }),
      ({ status, reported, booked, days, isStop }) => {
        const order = { ...(isStop ? STOP : SENT), filled: toQuantity(booked) };
        const now = instant(MONDAY + days * DAY_MS);
        const transition = apply(order, report({ status, units: reported }), { now });
        if (transition.type === 'end') expect(reported).toBeLessThanOrEqual(booked);
        if (status === 'working' || status === 'attention') expect(transition.type).not.toBe('end');
        // After any update, the same report at the same time changes nothing more.
        if (transition.type === 'change') {
          const { status: next, reason, brokerOrderId } = transition;
          expect(
            apply({ ...order, status: next, reason, brokerOrderId }, report({ status, units: reported }), {
              now,
            }),
          ).toEqual({ type: 'none' });
        }
      },
    ),
  );
});

it('finds a report by our id, or by the broker’s where the broker does not return ours', () => {
  const nameless = report({ clientOrderId: null });
  expect(indexReports([nameless])(SENT)).toBe(nameless);
  expect(indexReports([report({ brokerOrderId: 'B9' })])(SENT)?.brokerOrderId).toBe('B9');
  expect(indexReports([nameless])({ ...SENT, brokerOrderId: null })).toBeUndefined();
});

it('notices a stop, or a refused order, that works although it ended in our records, and leaves every other order alone', () => {
  const reappeared = report({ clientOrderId: 'BWX' as ClientOrderId });
  expect(unexpectedlyWorking([report(), reappeared, report({ clientOrderId: null })], [SENT])).toEqual([
    reappeared,
  ]);
  expect(mustCancelReappeared({ ...STOP, status: 'expired' })).toBe(true);
  expect(mustCancelReappeared({ ...STOP, status: 'filled' })).toBe(false);
  expect(mustCancelReappeared(STOP)).toBe(false);
  expect(mustCancelReappeared({ ...SENT, status: 'expired' })).toBe(false);
  expect(mustCancelReappeared({ ...SENT, status: 'rejected' })).toBe(true);
});

it('reads positions after a gap, while an order is in flight, and periodically', () => {
  const at = wallInstantOf(MONDAY);
  const calm = { reconciledSince: at, held: new Map(), heldAt: at, isCompared: true, unsure: new Map() };
  expect(needsPositions([SENT], calm, at)).toBe(false);
  expect(needsPositions([SENT], { ...calm, reconciledSince: null }, at)).toBe(true);
  expect(needsPositions([SENT], { ...calm, held: null }, at)).toBe(true);
  expect(needsPositions([SENT], { ...calm, isCompared: false }, at)).toBe(true);
  expect(needsPositions([SENT], calm, wallAfter(at, 30_000))).toBe(true);
  expect(needsPositions([openOrder({ id: '2' as OrderId, status: 'unknown' })], calm, at)).toBe(true);
  const unsure = new Map([[SENT.decided.symbol, new Set(['orders'] as const)]]);
  expect(needsPositions([SENT], { ...calm, unsure }, at)).toBe(true);
  const cancelling = { ...STOP, reason: { code: 'cancel_requested', parked: null } } as const;
  expect(needsPositions([cancelling], calm, at)).toBe(true);
});

it('requests an order alone only where something waits for its end, and never without the broker’s id', () => {
  const asked = { code: 'cancel_requested', parked: null } as const;
  expect(isAskedAlone(SENT)).toBe(false);
  expect(isAskedAlone(STOP)).toBe(false);
  expect(isAskedAlone({ ...STOP, reason: asked })).toBe(true);
  expect(isAskedAlone({ ...SENT, status: 'unknown' })).toBe(true);
  expect(isAskedAlone({ ...SENT, status: 'unknown', brokerOrderId: null })).toBe(false);
});

it('requests executions back to the oldest open order, but no further than the broker keeps them', () => {
  const keptSince = instant(MONDAY - 7 * DAY_MS);
  const back = (days: number) => instant(MONDAY - days * DAY_MS);
  const asked = { lastExecutionAt: MONDAY, readAt: MONDAY, provisionalSince: null, keptSince, now: MONDAY };
  // Three days: one may be listed long after a newer one.
  expect(executionsFrom([], asked)).toBe(back(3));
  const older = { ...SENT, sentAt: instant(MONDAY - 2 * DAY_MS) };
  expect(executionsFrom([older], asked)).toBe(back(5));
  const ancient = { ...STOP, sentAt: instant(MONDAY - 50 * DAY_MS) };
  expect(executionsFrom([ancient], asked)).toBe(back(7));
  const provisionalSince = back(3);
  expect(executionsFrom([older], { ...asked, provisionalSince })).toBe(back(6));
  const spoilt = { ...asked, lastExecutionAt: instant(MONDAY + 900 * DAY_MS) };
  expect(executionsFrom([], spoilt)).toBe(back(3));
});

it('requests what was listed while a stream already told of newer executions', () => {
  const back = (days: number) => instant(MONDAY - days * DAY_MS);
  const asked = { lastExecutionAt: MONDAY, provisionalSince: null, keptSince: back(90), now: MONDAY };
  expect(executionsFrom([], { ...asked, readAt: back(5) })).toBe(back(8));
  // After a restart nobody knows when the list was read.
  expect(executionsFrom([], { ...asked, readAt: null })).toBe(back(7));
  expect(executionsFrom([], { ...asked, readAt: MONDAY, lastExecutionAt: back(20) })).toBe(back(23));
});

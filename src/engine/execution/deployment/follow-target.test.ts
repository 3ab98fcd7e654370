import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OrderId, Symbol, TargetId } from '#units/identifiers.ts';
import { HOUR_MS, instant } from '#units/instant.ts';
import {
  MARKET,
  orderRecord,
  snapshotOf,
  TARGET,
  tradingDeployment,
} from '../../../../tests/support/engine/deployment-snapshot.ts';
import { AAA, MONDAY } from '../../../../tests/support/engine/open-order.ts';
import { mayFollow, sizingMarks, supersededIntents } from './follow-target.ts';

const NEWER = 'newer' as TargetId;
const orders = fc
  .array(
    fc.tuple(
      fc.constantFrom('intended', 'sending', 'working', 'unknown'),
      fc.constantFrom(TARGET, NEWER, null),
    ),
    { maxLength: 5 },
  )
  .map((asked) =>
    asked.map(([status, targetId], i) => orderRecord({ id: String(i) as OrderId, status, targetId })),
  );

it('withdraws only the intents of older targets, and follows a newer target once none of theirs can fill', () => {
  fc.assert(
    fc.property(orders, (openOrders) => {
      const snapshot = snapshotOf(tradingDeployment(), openOrders);
      const older = openOrders.filter(({ targetId }) => targetId === TARGET);
      const superseded = supersededIntents([snapshot], NEWER);
      expect(superseded).toEqual(older.filter(({ status }) => status === 'intended').map(({ id }) => id));
      const left = openOrders.filter(({ id }) => !superseded.includes(id));
      const mayFill = older.some(({ status }) => status === 'sending' || status === 'working');
      expect(mayFollow({ ...snapshot, openOrders: left }, NEWER)).toBe(!mayFill);
      expect(mayFollow(snapshot, TARGET)).toBe(false);
    }),
  );
});

it('follows nothing while it is paused, or as soon as a pause is requested', () => {
  const paused = tradingDeployment({ status: 'paused' });
  const pausing = tradingDeployment({ requestedStatus: 'paused' });
  expect([paused, pausing].map((one) => mayFollow(snapshotOf(one), NEWER))).toEqual([false, false]);
});

it('sizes a fresh target at the closes that it was decided on, and a later one at current prices', () => {
  const target = { asOf: MONDAY, weights: [{ symbol: AAA }] };
  const marksAt = (hours: number) =>
    sizingMarks(target, ['BBB' as Symbol], {
      now: instant(MONDAY + hours * HOUR_MS),
      marks: MARKET.marks,
      closeOf: (symbol, at) => (symbol === AAA && at === MONDAY ? 101 : undefined),
    });
  expect(marksAt(2)).toEqual(new Map(MARKET.marks).set(AAA, 101));
  expect(marksAt(2.1)).toBe(MARKET.marks);
});

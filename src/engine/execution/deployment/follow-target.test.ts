import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OrderId, Symbol, TargetId } from '#units/identifiers.ts';
import { HOUR_MS, type Instant, instant, parseInstant } from '#units/instant.ts';
import {
  MARKET,
  orderRecord,
  snapshotOf,
  TARGET,
  tradingDeployment,
} from '../../../../tests/support/engine/deployment-snapshot.ts';
import { AAA, MONDAY } from '../../../../tests/support/engine/open-order.ts';
import { mayFollow, sizingPrices, supersededIntents } from './follow-target.ts';
import { KIND_RULES } from '../../market/kinds/rules-of.ts';

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
  const asOf = parseInstant('2026-03-02T21:00:00Z');
  const target = { asOf, weights: [{ symbol: AAA }] };
  const pricesAt = (ms: number, speed = 1) => {
    const now = instant(asOf + ms);
    const closeOf = (symbol: Symbol, at: Instant) => (symbol === AAA && at === asOf ? 101 : undefined);
    return sizingPrices(target, ['BBB' as Symbol], { ...MARKET, pricedAt: now, now, speed, closeOf });
  };
  expect(pricesAt(2 * HOUR_MS)).toEqual({ marks: new Map(MARKET.marks).set(AAA, 101), pricedAt: asOf });
  const late = instant(asOf + 2.1 * HOUR_MS);
  expect(pricesAt(2.1 * HOUR_MS)).toEqual({ marks: MARKET.marks, pricedAt: late });
});

it('sizes at current prices where the market has traded on since the close for longer than the limit', () => {
  const target = { asOf: MONDAY, weights: [{ symbol: AAA }] };
  const limit = KIND_RULES.equity.priceMaxAgeMs;
  const closeOf = () => 101;
  const pricedAt = (ms: number, speed: number) => {
    const now = instant(MONDAY + ms);
    return sizingPrices(target, [], { ...MARKET, pricedAt: now, now, speed, closeOf }).pricedAt - MONDAY;
  };
  expect([pricedAt(limit, 1), pricedAt(limit + 1, 1), pricedAt(limit + 1, 2)]).toEqual([0, limit + 1, 0]);
});

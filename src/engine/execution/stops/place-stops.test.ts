import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OrderId, Symbol } from '#units/identifiers.ts';
import { instant, MINUTE_MS } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import {
  MARKET,
  orderRecord,
  snapshotOf,
  tradingDeployment,
} from '../../../../tests/support/engine/deployment-snapshot.ts';
import { AAA, MONDAY } from '../../../../tests/support/engine/open-order.ts';
import { oversizedStops } from './oversized-stops.ts';
import { isStopLookDue, placeStops } from './place-stops.ts';
import { isStopTime, wantedStop } from './protective-stops.ts';
import { wallAfter, wallInstantOf } from '#units/wall-instant.ts';

const limits = { stopLossPercentage: 10, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 };
const TERMS = { instruments: MARKET.instruments, kinds: ['equity' as const], isResetNear: false };
const BBB = 'BBB' as Symbol;

const whole = tradingDeployment({ units: { AAA: 1 }, limits });
const stopPrice = wantedStop(whole, AAA, TERMS)!.price;

it('writes one stop for each position without one, and withdraws intents that no longer fit', () => {
  const held = fc.record({ AAA: fc.integer({ min: 0, max: 9 }), BBB: fc.integer({ min: 0, max: 9 }) });
  const intents = fc.option(fc.integer({ min: 1, max: 9 }), { nil: null });
  fc.assert(
    fc.property(held, intents, (units, ordered) => {
      const owned = Object.fromEntries(Object.entries(units).filter(([, count]) => count > 0));
      const record = tradingDeployment({ units: owned, limits });
      const open =
        ordered === null
          ? []
          : [
              orderRecord({
                purpose: 'protective',
                units: ordered,
                limitPrice: stopPrice,
                cause: 'protective-stop:10',
              }),
            ];
      const placed = placeStops(snapshotOf(record, open), { terms: TERMS, attempts: [] }, MARKET);
      const fits = ordered !== null && ordered === units.AAA;
      const wanted = Object.keys(owned).filter((symbol) => !(fits && symbol === 'AAA'));
      expect((placed?.orders ?? []).map(({ order }) => order.symbol).toSorted()).toEqual(wanted.toSorted());
      for (const { order, stopLossPercentage, targetId } of placed?.orders ?? []) {
        expect(order.quantity).toBe(toQuantity(order.symbol === BBB ? units.BBB : units.AAA));
        expect([stopLossPercentage, targetId]).toEqual([10, null]);
      }
      expect(placed?.withdrawal?.orders ?? []).toEqual(ordered === null || fits ? [] : ['1']);
    }),
  );
});

it('places one only in an open session, and none in its last minutes: the broker would keep it for the next', () => {
  const opening = instant(Date.UTC(2026, 2, 2, 14, 30));
  const closing = instant(Date.UTC(2026, 2, 2, 21));
  const isTime = (at: number) => isStopTime('us-equity', instant(at));
  expect(
    [opening - 1, opening, closing - 5 * MINUTE_MS - 1, closing - 5 * MINUTE_MS, closing].map(isTime),
  ).toEqual([false, true, true, false, false]);
  const placed = (now: number) =>
    placeStops(snapshotOf(whole), { terms: TERMS, attempts: [] }, { ...MARKET, now: instant(now) });
  expect(placed(closing)).toBeNull();
  expect(placed(opening)?.orders).toHaveLength(1);
  const beforeReset = { terms: { ...TERMS, isResetNear: true }, attempts: [] };
  expect(placeStops(snapshotOf(whole), beforeReset, { ...MARKET, now: opening })).toBeNull();
});

it('is checked at once after a change, and otherwise every few seconds', () => {
  const at = wallInstantOf(MONDAY);
  const look = { lookedAt: at, changesSeen: 2 };
  expect(isStopLookDue({ ...look, lookedAt: null }, 0, at)).toBe(true);
  expect(isStopLookDue(look, 3, at)).toBe(true);
  expect(isStopLookDue(look, 2, at)).toBe(false);
  expect(isStopLookDue(look, 0, at)).toBe(false);
  expect(isStopLookDue(look, 0, wallAfter(at, 5_000))).toBe(true);
});

it('finds the stops that would close more than is held, and none where a shortfall explains it', () => {
  const quantities = fc.integer({ min: -20, max: 20 });
  fc.assert(
    fc.property(quantities, fc.nat({ max: 20 }), fc.nat({ max: 20 }), (net, leaving, shortfall) => {
      const stop = { id: 'S' as OrderId, symbol: AAA, side: 'sell', leaving, against: 0 } as const;
      const held = new Map([[AAA, net]]);
      expect(oversizedStops([stop], { held, shortfalls: new Map(), unsure: new Map() }).has(stop.id)).toBe(
        leaving > net,
      );
      expect(
        oversizedStops([stop], { held, shortfalls: new Map([[AAA, shortfall]]), unsure: new Map() }).has(
          stop.id,
        ),
      ).toBe(leaving > net + shortfall);
    }),
  );
});

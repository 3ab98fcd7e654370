import { NO_EXCEPTIONS } from '../market/calendar-exceptions.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { instant, type IsoDate } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { MARKET, snapshotOf, tradingDeployment } from '../../../tests/support/engine/deployment-snapshot.ts';
import { AAA } from '../../../tests/support/engine/open-order.ts';
import { bookedPositionEvent } from './booked-position-event.ts';
import { comparableClose, comparableCloses } from './comparable-close.ts';

const SNAPSHOT = snapshotOf(tradingDeployment({ units: { AAA: 10 } }));
const sessionDate = '2026-02-27' as IsoDate;

it('pays a dividend on the entitled quantity, in ledger and books alike, and notifies once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 9 }), (count, perUnit) => {
      const event = { type: 'dividend', symbol: AAA, perUnit, markAfter: 0 } as const;
      const happened = { event, entitled: toQuantity(count), sessionDate, execution: '' };
      const { transition, realized } = bookedPositionEvent(SNAPSHOT, happened, MARKET)!;
      const { before, after, postings, notices, orders } = transition;
      expect(realized).toBe(count * perUnit * 1e6);
      expect(after.cash - before.cash).toBe(realized);
      expect(postings[0]!.entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
      expect(notices).toMatchObject([
        { cause: `dividend:D:AAA:${sessionDate}`, facts: { holding: { type: 'dividend', paid: realized } } },
      ]);
      expect(orders).toEqual([]);
    }),
  );
});

it('books a late event as an adjustment, under its execution; a split moves no money, a swap sends no notice', () => {
  const split = { type: 'split', symbol: AAA, ratio: 2, markAfter: 50 } as const;
  const entitled = toQuantity(10);
  const happened = { event: split, entitled, sessionDate, execution: '' };
  const { transition } = bookedPositionEvent(SNAPSHOT, happened, MARKET)!;
  expect(transition.postings).toEqual([]);
  expect(transition.after.holdings.get(AAA)!.quantity).toBe(toQuantity(20));
  expect(transition.after.equity).toBe(transition.before.equity);
  const dividend = { type: 'dividend', symbol: AAA, perUnit: 1, markAfter: 0 } as const;
  const late = { event: dividend, entitled, sessionDate, execution: 'DU1:E1' };
  const booked = bookedPositionEvent(SNAPSHOT, late, MARKET)!.transition;
  expect(booked.postings[0]).toMatchObject({
    kind: 'adjustment',
    cause: `dividend:D:AAA:${sessionDate}:DU1:E1`,
  });
  expect(booked.notices[0]!.facts).toMatchObject({ holding: { type: 'late dividend' } });
});

it('compares no close with current prices across a split or a dividend', () => {
  const at = instant(Date.UTC(2026, 1, 27, 21));
  const bar = { date: sessionDate, closedAt: at, close: 99 };
  const market = (exDate: string) => ({
    instruments: new Map([[AAA, MARKET.instruments.get(AAA)!]]),
    actions: new Map([
      [AAA, [{ symbol: AAA, kind: 'split', exDate: exDate as IsoDate, amount: 2 } as const]],
    ]),
    exceptions: NO_EXCEPTIONS,
    barCloses: { newestBar: () => bar as never },
  });
  expect(comparableClose(AAA, at, market('2026-04-01'))).toBe(99);
  expect(comparableClose(AAA, at, market('2026-03-02'))).toBe(undefined);
  expect(comparableClose(AAA, instant(at + 1), market('2026-04-01'))).toBe(undefined);
  expect([...comparableCloses(at, market('2026-04-01'))]).toEqual([[AAA, 99]]);
});

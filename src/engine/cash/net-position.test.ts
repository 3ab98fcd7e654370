import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, instant } from '#units/instant.ts';
import { add, micro, notional, subtract, toMicro, ZERO_MICRO } from '#units/money.ts';
import { quantity, toQuantity } from '#units/quantity.ts';
import { forexInstrument } from '../../../tests/support/engine/random-market.ts';
import { changePosition, type PositionChange } from '../portfolio/apply-fill.ts';
import { netPosition, nettingDoubt, nettingOf, type NetTrade } from './net-position.ts';

const at = (nth: number) => instant(nth * 1_000);
const EURUSD = forexInstrument('EURUSD');
const history = (trades: readonly NetTrade[], booked = ZERO_MICRO) => ({
  instrument: EURUSD,
  trades,
  booked,
  isOpen: true,
  unsureSince: null,
});
const trade = (units: number, price: number, nth: number): NetTrade => ({
  traded: toQuantity(units),
  price,
  at: at(nth),
});

test('what one holder opens against another is realized at the broker before either has closed', () => {
  // One is long 100 at 1.1; another goes short 60 at 1.2, which closes 60 of the net position.
  const opened = history([trade(100, 1.1, 1), trade(-60, 1.2, 2)]);
  expect(netPosition(opened)).toMatchObject({ quantity: toQuantity(40), realized: toMicro(6) });
  expect(nettingOf([opened])).toBe(toMicro(6));
  // Both close at 1.2: 100 × 0.1 for the first, nothing for the second, and the broker has realized the same.
  const closed = history([...opened.trades, trade(-100, 1.2, 3), trade(60, 1.2, 4)], toMicro(10));
  expect(netPosition(closed)).toMatchObject({ quantity: 0, realized: toMicro(10) });
  expect(nettingOf([closed])).toBe(0);
});

const traded = fc.record({
  holder: fc.integer({ min: 0, max: 2 }),
  units: fc.integer({ min: -500, max: 500 }).filter((units) => units !== 0),
  cents: fc.integer({ min: 90, max: 130 }),
});

test('whoever traded, what the broker has realized and what is open in it add up to what was paid', () => {
  fc.assert(
    fc.property(
      fc.array(traded, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 90, max: 130 }),
      (all, end) => {
        const trades = all.map(({ units, cents }, nth) => trade(units, cents / 100, nth));
        const holders = new Map<number, PositionChange>();
        let booked = ZERO_MICRO;
        all.forEach(({ holder }, nth) => {
          const held = holders.get(holder);
          const before = held?.quantity === 0 ? undefined : held;
          const change = changePosition(before, trades[nth]!.traded, trades[nth]!.price, 1);
          holders.set(holder, change);
          booked = add(booked, change.profit);
        });
        const open = add(
          ZERO_MICRO,
          ...[...holders.values()].map((one) => subtract(notional(one.quantity, end / 100), one.cost)),
        );
        // Sold at one price in the end, the holders have made together what the broker has.
        const left = netPosition(history(trades)).quantity;
        const sold =
          left === 0 ? trades : [...trades, { traded: quantity(-left), price: end / 100, at: at(99) }];
        const { quantity: rest, realized } = netPosition(history(sold));
        expect(rest).toBe(0);
        expect(Math.abs(realized - add(booked, open))).toBeLessThanOrEqual(40);
      },
    ),
  );
});

test('of one holder alone there is nothing to net', () => {
  fc.assert(
    fc.property(fc.array(traded, { minLength: 1, maxLength: 20 }), (all) => {
      const trades = all.map(({ units, cents }, nth) => trade(units, cents / 100, nth));
      let held: PositionChange | undefined;
      let booked = ZERO_MICRO;
      for (const { traded: units, price } of trades) {
        held = changePosition(held?.quantity === 0 ? undefined : held, units, price, 1);
        booked = add(booked, held.profit);
      }
      expect(nettingOf([history(trades, booked)])).toBe(0);
    }),
  );
});

test('a replay that is not certain explains nothing, and its doubt is bounded by what any matching can make', () => {
  const since = instant(3 * DAY_MS);
  const unsure = { ...history([trade(100, 1.1, 1), trade(-60, 1.2, 2)]), unsureSince: since };
  expect(nettingOf([unsure])).toBe(0);
  expect(nettingDoubt([unsure])).toEqual({ max: toMicro(16), since });
  expect(nettingDoubt([{ ...unsure, isOpen: false }])).toEqual({ max: micro(0), since: null });
  expect(nettingDoubt([history(unsure.trades)])).toEqual({ max: micro(0), since: null });
});

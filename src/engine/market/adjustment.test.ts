import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { withoutShortfall, type Adjustment, netUnits, shortfallOf } from './adjustment.ts';

const trade = (units: number) => ({ units: toQuantity(units), price: 100, commission: toMicro(2) });
const adjustment = (undoes: number | null, books: number | null): Adjustment => ({
  type: 'adjustment',
  symbol: 'AAA' as Symbol,
  undoes: undoes === null ? null : { ...trade(undoes), profit: toMicro(10) },
  books: books === null ? null : trade(books),
});
const short = (held: number, undoes: number | null, books: number | null) =>
  shortfallOf(toQuantity(held), adjustment(undoes, books)) / 1e8;

test.each([
  ['a purchase that is all held', [40, 40, null], 0],
  ['a purchase of which a part was sold', [25, 40, null], 15],
  ['a purchase of which nothing is left', [0, 40, null], 40],
  ['a purchase that is smaller, and enough is left', [25, 40, 15], 0],
  ['a purchase that is smaller than what was sold', [25, 40, 10], 5],
  ['a sale taken back', [25, -15, null], 0],
  ['a sale that is larger than what is left', [10, -30, -50], 10],
  ['what is short already, made no shorter', [-5, -3, null], 0],
  ['what is short already, made shorter', [-5, 3, null], 3],
] as const)('%s', (_, [held, undoes, books], units) => expect(short(held, undoes, books)).toBe(units));

test('for any correction, what is booked and what falls short add up to what was agreed', () => {
  const units = fc.integer({ min: -50, max: 50 }).filter((one) => one !== 0);
  fc.assert(
    fc.property(fc.nat(60), units, fc.option(units), (held, undoes, books) => {
      const full = adjustment(undoes, books);
      const shortfall = shortfallOf(toQuantity(held), full);
      const cut = { ...full, shortfall };
      const booked = withoutShortfall(cut);
      expect(netUnits(cut)).toBe(netUnits(full) + shortfall);
      expect(netUnits(booked)).toBe(netUnits(cut));
      if (shortfall === 0) expect(booked).toEqual({ undoes: full.undoes, books: full.books });
      else expect(held + netUnits(booked) / 1e8).toBe(0);
      // No position turns round, and no booking exceeds what was agreed.
      for (const [now, agreed] of [
        [booked.undoes, full.undoes],
        [booked.books, full.books],
      ] as const) {
        if (now === null) continue;
        expect(Math.sign(now.units)).toBe(Math.sign(agreed!.units));
        expect(Math.abs(now.units)).toBeLessThanOrEqual(Math.abs(agreed!.units));
      }
    }),
  );
});

test('the shortfall never exceeds the correction', () => {
  expect(() => withoutShortfall({ ...adjustment(4, null), shortfall: toQuantity(5) })).toThrow(RangeError);
});

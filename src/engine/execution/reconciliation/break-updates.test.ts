import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { quantity, toQuantity } from '#units/quantity.ts';
import { breakUpdates, heldBySymbol } from './break-updates.ts';
import { breakSlot, type PositionBreak } from './reconcile-positions.ts';

function breakOf(symbol: string, units: number): PositionBreak {
  const none = { ours: toQuantity(0), external: toQuantity(0), price: null, tradedAt: null };
  const gap = toQuantity(units);
  return { kind: 'unexplained', symbol: symbol as Symbol, theirs: gap, units: gap, ...none };
}

const looks = fc.array(
  fc.uniqueArray(fc.tuple(fc.constantFrom('AAA', 'BBB', 'CCC'), fc.integer({ min: 1, max: 3 })), {
    selector: ([symbol]) => symbol,
  }),
  { maxLength: 8 },
);

it('writes each break once, again when it changes, and ends those that are gone: the records show the last look', () => {
  fc.assert(
    fc.property(looks, (all) => {
      let written: ReadonlyMap<string, string> = new Map();
      const records = new Map<string, PositionBreak>();
      for (const seen of all) {
        const lasting = seen.map(([symbol, units]) => breakOf(symbol, units));
        const slots = new Set(lasting.map(breakSlot));
        const cleared = ['AAA', 'BBB', 'CCC']
          .map((symbol) => ({ kind: 'unexplained' as const, symbol: symbol as Symbol }))
          .filter((slot) => !slots.has(breakSlot(slot)));
        const changed = breakUpdates({ lasting, cleared }, written);
        for (const one of changed?.lasting ?? []) {
          expect(records.get(breakSlot(one))).not.toEqual(one);
          records.set(breakSlot(one), one);
        }
        for (const slot of changed?.cleared ?? []) expect(records.delete(slot)).toBe(true);
        written = changed?.written ?? written;
        expect(new Set(records.values())).toEqual(new Set(lasting));
        // A look with the same result writes nothing.
        expect(breakUpdates({ lasting, cleared }, written)).toBe(null);
      }
    }),
  );
});

it('reads a position report by symbol, without instruments outside the catalogue', () => {
  const reported = [
    { symbol: 'AAA' as Symbol, quantity: quantity(-3) },
    { symbol: null, quantity: quantity(7) },
  ];
  expect([...heldBySymbol(reported)]).toEqual([['AAA', -3]]);
});

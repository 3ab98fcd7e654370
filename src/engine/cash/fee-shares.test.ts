import fc from 'fast-check';
import { expect, it } from 'vitest';
import { add, type Micro, micro, toMicro, ZERO_MICRO } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { FEE_BASES, type FeeBasis } from './cash-activity.ts';
import { type DayTrades, feeChanges } from './fee-shares.ts';

const trader = (holder: string, sold: number, booked = 0, units = sold): DayTrades<string> => ({
  holder,
  worth: toMicro(sold),
  units: toQuantity(units),
  changed: toMicro(booked),
});
const fee = (dollars: number, chargedBy?: FeeBasis) => ({
  amount: toMicro(dollars),
  ...(chargedBy && { chargedBy }),
});
const cents = (changes: readonly { holder: string; change: Micro }[]) =>
  changes.map(({ holder, change }) => `${holder} ${change / 10_000}`);

it('goes to the sellers by what they sold, to the cent', () => {
  expect(cents(feeChanges([fee(-0.1)], [trader('A', 3_000), trader('B', 1_000)]))).toEqual(['A -8', 'B -2']);
  expect(cents(feeChanges([fee(-0.02)], [trader('A', 1), trader('B', 1), trader('C', 1)]))).toEqual([
    'A -1',
    'B -1',
  ]);
});

it('leaves the one cent of a small fee to whoever sold most', () => {
  expect(cents(feeChanges([fee(-0.01)], [trader('A', 400), trader('B', 500)]))).toEqual(['B -1']);
});

it('books what is missing: a fee or a sale that is listed late changes every share', () => {
  const booked = [trader('A', 3_000, -0.08), trader('B', 1_000, -0.02)];
  expect(feeChanges([fee(-0.1)], booked)).toEqual([]);
  expect(cents(feeChanges([fee(-0.1), fee(-0.04)], booked))).toEqual(['A -3', 'B -1']);
  expect(cents(feeChanges([fee(-0.1)], [...booked, trader('C', 4_000)]))).toEqual(['A 4', 'B 1', 'C -5']);
});

it('is shared by units where it is charged by units, and by worth where it is charged by worth', () => {
  const dear = trader('A', 9_000, 0, 10);
  const cheap = trader('B', 1_000, 0, 90);
  expect(cents(feeChanges([fee(-0.1, 'units')], [dear, cheap]))).toEqual(['A -1', 'B -9']);
  expect(cents(feeChanges([fee(-0.1, 'worth')], [dear, cheap]))).toEqual(['A -9', 'B -1']);
  expect(cents(feeChanges([fee(-0.1, 'units'), fee(-0.2, 'worth')], [dear, cheap]))).toEqual([
    'A -19',
    'B -11',
  ]);
});

it('is nobody’s where nothing was traded', () => {
  expect(feeChanges([fee(-0.1)], [trader('A', 0)])).toEqual([]);
});

it('always adds up, in whole cents where the fees are, and never against its sign', () => {
  const amount = fc.integer({ min: 1, max: 5_000 });
  const basis = fc.constantFrom(...FEE_BASES);
  const sold = fc.array(fc.tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 1, max: 900 })), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(amount, basis), { minLength: 1, maxLength: 4 }),
      sold,
      fc.constantFrom(10_000, 1),
      (fees, trades, unit) => {
        fc.pre(trades.some(([worth]) => worth > 0));
        const listed = fees.map(([one, chargedBy]) => ({ amount: micro(-one * unit), chargedBy }));
        const changes = feeChanges(
          listed,
          trades.map(([worth, units], at) => trader(`D${at}`, worth, 0, units)),
        );
        const total = add(ZERO_MICRO, ...listed.map(({ amount: one }) => one));
        expect(add(ZERO_MICRO, ...changes.map(({ change }) => change))).toBe(total);
        for (const { change } of changes) {
          expect(change).toBeLessThan(0);
          if (unit === 10_000) expect(change % 10_000).toBe(-0);
        }
      },
    ),
  );
});

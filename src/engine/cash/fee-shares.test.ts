import fc from 'fast-check';
import { expect, it } from 'vitest';
import { add, type Micro, micro, toMicro, ZERO_MICRO } from '#units/money.ts';
import { type DayTrades, feeChanges } from './fee-shares.ts';

const trader = (holder: string, sold: number, booked = 0): DayTrades<string> => ({
  holder,
  worth: toMicro(sold),
  changed: toMicro(booked),
});
const cents = (changes: readonly { holder: string; change: Micro }[]) =>
  changes.map(({ holder, change }) => `${holder} ${change / 10_000}`);

it('goes to the sellers by what they sold, to the cent', () => {
  expect(cents(feeChanges([toMicro(-0.1)], [trader('A', 3_000), trader('B', 1_000)]))).toEqual([
    'A -8',
    'B -2',
  ]);
  expect(cents(feeChanges([toMicro(-0.02)], [trader('A', 1), trader('B', 1), trader('C', 1)]))).toEqual([
    'A -1',
    'B -1',
  ]);
});

it('leaves the one cent of a small fee to whoever sold most', () => {
  expect(cents(feeChanges([toMicro(-0.01)], [trader('A', 400), trader('B', 500)]))).toEqual(['B -1']);
});

it('books what is missing: a fee or a sale that is listed late changes every share', () => {
  const booked = [trader('A', 3_000, -0.08), trader('B', 1_000, -0.02)];
  expect(feeChanges([toMicro(-0.1)], booked)).toEqual([]);
  expect(cents(feeChanges([toMicro(-0.1), toMicro(-0.04)], booked))).toEqual(['A -3', 'B -1']);
  expect(cents(feeChanges([toMicro(-0.1)], [...booked, trader('C', 4_000)]))).toEqual(['A 4', 'B 1', 'C -5']);
});

it('is nobody’s where nothing was traded', () => {
  expect(feeChanges([toMicro(-0.1)], [trader('A', 0)])).toEqual([]);
});

it('always adds up, in whole cents where the fees are, and never against its sign', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 4 });
  const sold = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(amounts, sold, fc.constantFrom(10_000, 1), (fees, worths, unit) => {
      fc.pre(worths.some((one) => one > 0));
      const listed = fees.map((one) => micro(-one * unit));
      const changes = feeChanges(
        listed,
        worths.map((one, at) => trader(`D${at}`, one)),
      );
      expect(add(ZERO_MICRO, ...changes.map(({ change }) => change))).toBe(add(ZERO_MICRO, ...listed));
      for (const { change } of changes) {
        expect(change).toBeLessThan(0);
        if (unit === 10_000) expect(change % 10_000).toBe(-0);
      }
    }),
  );
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Micro, micro, toMicro, ZERO_MICRO } from '#units/money.ts';
import { feeBill, type FeeFigures } from './fee-bill.ts';
import { feeCorrection } from './fee-correction.ts';

const figures = (settledResult: Micro): FeeFigures => ({
  highWaterMark: toMicro(10_000),
  capitalBefore: toMicro(10_000),
  capital: toMicro(10_000),
  settledResult,
  worth: null,
});

it('credits the fee on a profit that later commissions took', () => {
  expect(feeCorrection({ figures: figures(toMicro(2)), owed: toMicro(4.13), isCharged: true })).toEqual({
    closingValue: toMicro(10_002),
    profit: toMicro(2),
    fee: toMicro(0.6),
    credit: toMicro(3.53),
  });
});

it('never asks for more, never for less than nothing, and ends at the lowest fee that the figures ever gave', () => {
  const cents = fc.integer({ min: -100_000, max: 100_000 }).map((amount) => micro(amount * 10_000));
  fc.assert(
    fc.property(cents, fc.array(cents, { maxLength: 8 }), (atBill, later) => {
      const billed = feeBill(figures(atBill)).fee;
      let owed: Micro = billed;
      for (const settled of later) {
        const { credit, fee } = feeCorrection({ figures: figures(settled), owed, isCharged: true });
        expect(credit).toBeGreaterThanOrEqual(ZERO_MICRO);
        owed = micro(owed - credit);
        expect(owed).toBeLessThanOrEqual(fee);
        expect(owed).toBeGreaterThanOrEqual(0);
        expect(feeCorrection({ figures: figures(settled), owed, isCharged: true }).credit).toBe(0);
      }
      expect(owed).toBe(Math.min(billed, ...later.map((settled) => feeBill(figures(settled)).fee)));
    }),
  );
});

it('asks for nothing where the bill could charge nothing', () => {
  expect(feeCorrection({ figures: figures(toMicro(20)), owed: ZERO_MICRO, isCharged: false })).toMatchObject({
    fee: 0,
    credit: 0,
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Micro, micro, toMicro } from '#units/money.ts';
import { type AccrualFigures, feeAccrual } from './fee-accrual.ts';
import { feeBill } from './fee-bill.ts';

const figures = (change: Partial<AccrualFigures>): AccrualFigures => ({
  highWaterMark: toMicro(10_000),
  capitalBefore: toMicro(10_000),
  capital: toMicro(10_000),
  settledResult: toMicro(400),
  equity: toMicro(11_000),
  ...change,
});

it('accrues on settled profit, and takes the open profit too when everything is sold', () => {
  const { accrued, ifClosed } = feeAccrual(figures({}));
  expect(accrued).toMatchObject({ profit: toMicro(400), fee: toMicro(120) });
  expect(ifClosed.bill).toMatchObject({ profit: toMicro(1_000), fee: toMicro(300) });
  expect(ifClosed).toMatchObject({ gross: toMicro(11_000), net: toMicro(10_700) });
});

it('accrues nothing for a client who may not be charged, and moves the mark as it would', () => {
  const { accrued, ifClosed } = feeAccrual(figures({}), 0);
  expect([accrued.fee, ifClosed.bill.fee]).toEqual([0, 0]);
  expect(ifClosed.net).toBe(toMicro(11_000));
  expect(accrued.nextHighWaterMark).toBe(feeAccrual(figures({})).accrued.nextHighWaterMark);
});

it('takes an open loss off at once', () => {
  const { accrued, ifClosed } = feeAccrual(figures({ equity: toMicro(10_100) }));
  expect([accrued.fee, ifClosed.bill.fee]).toEqual([toMicro(30), toMicro(30)]);
  expect(ifClosed.net).toBe(toMicro(10_070));
});

it('asks for nothing below the mark, and for nothing of a deposit', () => {
  const deposit = figures({
    capital: toMicro(15_000),
    settledResult: toMicro(-500),
    equity: toMicro(14_500),
  });
  for (const asked of [figures({ equity: toMicro(9_000) }), deposit]) {
    const { accrued, ifClosed } = feeAccrual(asked);
    expect([accrued.fee, ifClosed.bill.fee]).toEqual([0, 0]);
    expect(ifClosed.net).toBe(asked.equity);
  }
});

it('is what a bill asks for at that moment: of the period, or at the end with everything settled', () => {
  const amount = (min: number) =>
    fc.integer({ min, max: 2_000_000_000_000 }).map((value): Micro => micro(value));
  const any: fc.Arbitrary<AccrualFigures> = fc.record({
    highWaterMark: amount(0),
    capitalBefore: amount(0),
    capital: amount(0),
    settledResult: amount(-2_000_000_000_000),
    equity: amount(-2_000_000_000_000),
  });
  fc.assert(
    fc.property(any, ({ equity, ...rest }) => {
      const { accrued, ifClosed } = feeAccrual({ equity, ...rest });
      expect(accrued).toEqual(feeBill({ ...rest, worth: equity }));
      const settled = { ...rest, settledResult: micro(equity - rest.capital) };
      expect(ifClosed.bill).toEqual(feeBill({ ...settled, worth: null }));
      expect(ifClosed.net + ifClosed.bill.fee).toBe(equity);
      expect(accrued.fee).toBeGreaterThanOrEqual(0);
      expect(accrued.fee).toBeLessThanOrEqual(ifClosed.bill.fee);
      expect(ifClosed.bill.fee).toBeLessThanOrEqual(0.3 * Math.max(0, equity - ifClosed.bill.adjustedMark));
    }),
  );
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMicro, type Micro, toMicro, ZERO_MICRO } from '#units/money.ts';
import { type FeePeriod, performanceFee } from './performance-fee.ts';

const period = (change: Partial<FeePeriod>): FeePeriod => ({
  highWaterMark: toMicro(10_000),
  contributions: ZERO_MICRO,
  withdrawals: ZERO_MICRO,
  equityBeforeWithdrawal: ZERO_MICRO,
  closingEquity: toMicro(10_000),
  ...change,
});

/** The fees and the last mark of a path of closing equities, without flows. */
function bill(start: number, closes: readonly number[]) {
  let highWaterMark = toMicro(start);
  const fees = closes.map((close) => {
    const result = performanceFee(period({ highWaterMark, closingEquity: toMicro(close) }));
    highWaterMark = result.nextHighWaterMark;
    return fromMicro(result.fee);
  });
  return { fees, mark: fromMicro(highWaterMark) };
}

describe('the performance fee', () => {
  it('bills a recovery only for what lies above the mark', () => {
    expect(bill(10_000, [11_000, 10_400, 10_800, 11_300])).toEqual({ fees: [300, 0, 0, 90], mark: 11_300 });
  });

  it('lets a deposit raise the mark and never be billed', () => {
    const after = performanceFee(
      period({ contributions: toMicro(10_000), closingEquity: toMicro(18_000 + 1_800) }),
    );
    expect(after).toEqual({
      adjustedMark: toMicro(20_000),
      profit: 0,
      fee: 0,
      nextHighWaterMark: toMicro(20_000),
    });
    const next = performanceFee(
      period({ highWaterMark: after.nextHighWaterMark, closingEquity: toMicro(21_000) }),
    );
    expect(fromMicro(next.fee)).toBe(300);
  });

  it('lowers the mark in proportion to a withdrawal under water', () => {
    const result = performanceFee(
      period({
        withdrawals: toMicro(4_000),
        equityBeforeWithdrawal: toMicro(8_000),
        closingEquity: toMicro(5_400),
      }),
    );
    expect(fromMicro(result.adjustedMark)).toBe(5_000);
    expect(fromMicro(result.fee)).toBe(120);
    expect(bill(5_000, [4_600, 5_400])).toEqual({ fees: [0, 120], mark: 5_400 });
  });

  it('nets a deposit and its withdrawal in one period, so that the mark stays', () => {
    const result = performanceFee(
      period({
        contributions: toMicro(10_000),
        withdrawals: toMicro(10_000),
        equityBeforeWithdrawal: toMicro(18_000),
        closingEquity: toMicro(8_000),
      }),
    );
    expect(fromMicro(result.nextHighWaterMark)).toBe(10_000);
  });

  it('refuses more out than there was', () => {
    const more = { withdrawals: toMicro(2), equityBeforeWithdrawal: toMicro(1) };
    expect(() => performanceFee(period(more))).toThrow(RangeError);
  });

  it('lets no money that comes in and goes out again in one period move the mark, at any value', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000 }).map((cents) => (cents * 10_000) as Micro);
    fc.assert(
      fc.property(amount, amount, amount, (highWaterMark, moved, closingEquity) => {
        const flows = {
          contributions: moved,
          withdrawals: moved,
          equityBeforeWithdrawal: (closingEquity + moved) as Micro,
        };
        expect(performanceFee({ highWaterMark, closingEquity, ...flows })).toEqual(
          performanceFee(period({ highWaterMark, closingEquity })),
        );
      }),
    );
  });

  it('leaves a client who takes money out under water as far below the mark as before, in proportion', () => {
    const equity = fc.integer({ min: 10_000, max: 999_999 }).map((cents) => (cents * 10_000) as Micro);
    fc.assert(
      fc.property(equity, fc.integer({ min: 0, max: 99 }), (before, percent) => {
        const withdrawals = Math.floor((before * percent) / 100) as Micro;
        const closingEquity = (before - withdrawals) as Micro;
        const result = performanceFee(period({ withdrawals, equityBeforeWithdrawal: before, closingEquity }));
        expect(result.adjustedMark / closingEquity / (toMicro(10_000) / before)).toBeCloseTo(1, 5);
        expect(result.fee).toBe(0);
      }),
    );
  });

  const closes = fc.array(fc.integer({ min: 0, max: 5_000_000_000 }), { minLength: 1, maxLength: 40 });

  it('never bills more than 30% of the highest profit so far, and never less than nothing', () => {
    fc.assert(
      fc.property(closes, (cents) => {
        let highWaterMark = toMicro(10_000);
        let billed = 0;
        let best = 0;
        for (const cent of cents) {
          const closingEquity = (cent * 10_000) as Micro;
          const { fee, nextHighWaterMark } = performanceFee(period({ highWaterMark, closingEquity }));
          expect(fee).toBeGreaterThanOrEqual(0);
          highWaterMark = nextHighWaterMark;
          billed += fee;
          best = Math.max(best, closingEquity - toMicro(10_000));
          expect(billed).toBeLessThanOrEqual(best * 0.3);
        }
      }),
    );
  });

  it('asks the same in whole when a flat stretch is split into more periods', () => {
    fc.assert(
      fc.property(closes, (cents) => {
        const dollars = cents.map((cent) => cent / 100);
        const doubled = dollars.flatMap((close) => [close, close]);
        const sum = (fees: readonly number[]) =>
          Math.round(fees.reduce((left, right) => left + right, 0) * 100);
        expect(sum(bill(10_000, doubled).fees)).toBe(sum(bill(10_000, dollars).fees));
      }),
    );
  });
});

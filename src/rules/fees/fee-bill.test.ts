import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, type Micro, micro, toMicro, ZERO_MICRO } from '#units/money.ts';
import { type FeeBill, feeBill } from './fee-bill.ts';

/** What happens in one period, in whole cents: money added, or withdrawn below zero, what is settled, and what is open at its end. */
type Period = { readonly deposit: number; readonly earned: number; readonly open: number };

/** What the settled value or, if it is lower, the market value is above the money put in. */
type Billed = { readonly bill: FeeBill; readonly profitSoFar: Micro };

const cents = (count: number): Micro => micro(count * 10_000);

function billAll(start: Micro, periods: readonly Period[]): readonly Billed[] {
  let highWaterMark = start;
  let capital = start;
  let settledResult: Micro = ZERO_MICRO;
  return periods.map(({ deposit, earned, open }) => {
    const capitalBefore = capital;
    capital = add(capital, cents(deposit));
    settledResult = add(settledResult, cents(earned));
    const worth = add(capital, settledResult, cents(open));
    const bill = feeBill({
      highWaterMark,
      capitalBefore,
      capital,
      settledResult,
      worth,
    });
    highWaterMark = bill.nextHighWaterMark;
    return { bill, profitSoFar: add(settledResult, cents(Math.min(0, open))) };
  });
}

const fees = (billed: readonly Billed[]) => billed.map(({ bill }) => bill.fee);

const period = fc.record({
  deposit: fc.constantFrom(0, 0, 100_000, 1_234_567, -50_000, -700_000),
  earned: fc.integer({ min: -50_000, max: 50_000 }),
  open: fc.integer({ min: -50_000, max: 50_000 }),
});
/** Ten thousand dollars, which no path loses. */
const START = toMicro(10_000);
const paths = fc.array(period, { minLength: 1, maxLength: 15 });

describe('the bills of a deployment', () => {
  it('are never negative, and whole cents', () => {
    fc.assert(
      fc.property(paths, (path) => {
        for (const fee of fees(billAll(START, path))) {
          expect(fee).toBeGreaterThanOrEqual(0);
          expect(fee % 10_000).toBe(0);
        }
      }),
    );
  });

  it('are the same whatever is added and withdrawn, and whenever', () => {
    fc.assert(
      fc.property(paths, (path) => {
        const without = path.map((one) => ({ ...one, deposit: 0 }));
        expect(fees(billAll(START, path))).toEqual(fees(billAll(START, without)));
      }),
    );
  });

  it('ask for nothing at or below a former peak of the profit', () => {
    fc.assert(
      fc.property(paths, (path) => {
        let peak = 0;
        for (const { bill, profitSoFar } of billAll(START, path)) {
          if (profitSoFar <= peak) expect(bill.fee).toBe(0);
          peak = Math.max(peak, profitSoFar);
        }
      }),
    );
  });

  it('count no dollar of profit twice: all of them together count the highest profit once', () => {
    fc.assert(
      fc.property(paths, (path) => {
        const billed = billAll(START, path);
        const counted = billed.reduce((sum, { bill }) => sum + bill.profit, 0);
        expect(counted).toBe(Math.max(0, ...billed.map(({ profitSoFar }) => profitSoFar)));
      }),
    );
  });

  it('bill an open profit once it is realised, and take an open loss off at once', () => {
    const path = [
      { deposit: 0, earned: 0, open: 80_000 },
      { deposit: 0, earned: 80_000, open: -30_000 },
    ];
    expect(fees(billAll(START, path))).toEqual([ZERO_MICRO, toMicro(150)]);
  });
});

/** The worked numbers of the field, in dollars: of each period what it earned. */
describe('the worked examples', () => {
  it('bill a loss that is recovered only for what lies above the mark', () => {
    const path = [1_000, -600, 400, 500].map((earned) => ({ deposit: 0, earned: earned * 100, open: 0 }));
    expect(fees(billAll(START, path))).toEqual([300, 0, 0, 90].map(toMicro));
  });

  it('let a deposit under water help to recover the loss', () => {
    const path = [
      { deposit: 0, earned: -200_000, open: 0 },
      { deposit: 1_000_000, earned: 180_000, open: 0 },
      { deposit: 0, earned: 120_000, open: 0 },
    ];
    const billed = billAll(START, path);
    expect(billed.map(({ bill }) => bill.nextHighWaterMark)).toEqual([10_000, 20_000, 21_000].map(toMicro));
    expect(fees(billed)).toEqual([0, 0, 300].map(toMicro));
  });

  it('carry a loss on without an end, unlike a mark that looks back over two periods', () => {
    const path = [-100, 20, -10, 10, 10, 50].map((earned) => ({ deposit: 0, earned: earned * 100, open: 0 }));
    expect(fees(billAll(START, path))).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

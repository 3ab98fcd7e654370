import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, fromMicro, type Micro, toMicro, ZERO_MICRO } from '#units/money.ts';
import { type FeePeriod, performanceFee } from './performance-fee.ts';

const period = (change: Partial<FeePeriod>): FeePeriod => ({
  highWaterMark: toMicro(10_000),
  netFlow: ZERO_MICRO,
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
      period({ netFlow: toMicro(10_000), closingEquity: toMicro(18_000 + 1_800) }),
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

  it('lowers the mark by a withdrawal, so that a loss stays to be recovered whole', () => {
    const result = performanceFee(period({ netFlow: toMicro(-4_000), closingEquity: toMicro(4_000) }));
    expect([result.adjustedMark, result.fee]).toEqual([toMicro(6_000), 0]);
    expect(bill(6_000, [4_600, 5_400, 6_100])).toEqual({ fees: [0, 0, 30], mark: 6_100 });
  });

  it('bills profit that was withdrawn before the end of its period, once', () => {
    const result = performanceFee(period({ netFlow: toMicro(-45_000), closingEquity: toMicro(5_000) }));
    expect(result).toEqual({
      adjustedMark: toMicro(-35_000),
      profit: toMicro(40_000),
      fee: toMicro(12_000),
      nextHighWaterMark: toMicro(5_000),
    });
  });

  const cents = (least: number, most: number) =>
    fc.integer({ min: least, max: most }).map((amount) => (amount * 10_000) as Micro);
  const life = fc.array(
    fc.record({
      earned: cents(-300_000, 300_000),
      flow: fc.oneof(fc.constant(ZERO_MICRO), cents(-500_000, 500_000)),
    }),
    { minLength: 1, maxLength: 30 },
  );

  it('is, after any series of flows, what it is without them: nothing for flows, nothing twice, nothing below a peak', () => {
    fc.assert(
      fc.property(life, (periods) => {
        let [mark, equity, plainMark, plainEquity] = [10_000, 10_000, 10_000, 10_000].map(toMicro) as Micro[];
        let [earnedSoFar, peak, billed] = [0, 0, 0];
        for (const { earned, flow } of periods) {
          equity = add(equity!, earned, flow);
          plainEquity = add(plainEquity!, earned);
          const result = performanceFee({ highWaterMark: mark!, netFlow: flow, closingEquity: equity });
          const plain = performanceFee(period({ highWaterMark: plainMark!, closingEquity: plainEquity }));
          expect([result.profit, result.fee]).toEqual([plain.profit, plain.fee]);
          [mark, plainMark] = [result.nextHighWaterMark, plain.nextHighWaterMark];
          earnedSoFar += earned;
          billed += result.profit;
          expect(result.fee).toBeGreaterThanOrEqual(0);
          if (earnedSoFar <= peak) expect(result.fee).toBe(0);
          peak = Math.max(peak, earnedSoFar);
          expect(billed).toBe(peak);
        }
      }),
    );
  });

  it('is the same whatever order the flows of a period come in', () => {
    fc.assert(
      fc.property(
        fc.array(cents(-500_000, 500_000), { maxLength: 8 }),
        cents(-900_000, 900_000),
        (flows, earned) => {
          const netFlow = add(...flows);
          const one = performanceFee(
            period({ netFlow, closingEquity: add(toMicro(10_000), earned, netFlow) }),
          );
          const marks = flows.map(
            (flow) => performanceFee(period({ netFlow: flow })).adjustedMark - toMicro(10_000),
          );
          expect(one.adjustedMark - toMicro(10_000)).toBe(marks.reduce((sum, moved) => sum + moved, 0));
          expect(one.profit).toBe(Math.max(0, earned));
        },
      ),
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

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, DAY_MS, type Instant, type IsoDate } from '#units/instant.ts';
import { alphaBeta } from './alpha-beta.ts';
import { annualReturn } from './annual-return.ts';
import { bestAndWorst, calendarReturns, monthTable } from './calendar-returns.ts';
import type { ClosedTrade } from './trades/closed-trade.ts';
import { deepestDrawdown, drawdownSeries, maxDrawdown } from './risk/drawdown.ts';
import { expectedShortfall } from './risk/expected-shortfall.ts';
import { exposure } from './exposure.ts';
import { type ReportInput, performanceReport } from './performance-report.ts';
import { periodReturn, yearsBefore } from './period-returns.ts';
import { profitFactor } from './trades/profit-factor.ts';
import { returnsOf, sampleDeviation } from './returns.ts';
import { sharpeRatio } from './sharpe-ratio.ts';
import { sortinoRatio } from './sortino-ratio.ts';
import { totalReturn } from './total-return.ts';
import { annualTurnover } from './turnover.ts';
import { valueAtRisk } from './risk/value-at-risk.ts';
import { winRate } from './trades/win-rate.ts';

const column = (...values: number[]) => Float64Array.from(values);
const day = (text: string) => text as IsoDate;
const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, i) => addDays(day(first), i));
const anyReturns = fc
  .array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 2, maxLength: 60 })
  .map((values) => Float64Array.from(values));

describe('returns', () => {
  it('compound to the last value over the first', () => {
    const values = fc.array(fc.double({ min: 1, max: 1000, noNaN: true }), { minLength: 2, maxLength: 50 });
    fc.assert(
      fc.property(values, (series) => {
        const found = totalReturn(returnsOf(Float64Array.from(series)));
        expect(found).toBeCloseTo(series.at(-1)! / series[0]! - 1, 8);
      }),
    );
  });

  it('annualise geometrically: doubling in two years is 41.4 percent', () => {
    expect(annualReturn(column(1, 0), 1)).toBeCloseTo(Math.SQRT2 - 1, 12);
    expect(annualReturn(column(0.5, -1), 252)).toBe(-1);
  });

  it('measure years by the calendar, 29 February included', () => {
    expect(yearsBefore(day('2024-02-29'), 1)).toBe('2023-02-28');
    expect(yearsBefore(day('2024-02-29'), 4)).toBe('2020-02-29');
  });

  it('of a period start at the last value on or before its first day, and are absent before the history', () => {
    const dates = [day('2023-12-29'), day('2024-01-31'), day('2024-02-26'), day('2024-03-01')];
    const values = column(100, 110, 120, 132);
    expect(periodReturn(dates, values, 'ytd')).toBeCloseTo(0.32, 12);
    expect(periodReturn(dates, values, '30d')).toBeCloseTo(0.2, 12);
    expect(periodReturn(dates, values, '1y')).toBeNaN();
    expect(periodReturn([], column(), '30d')).toBeNaN();
  });
});

describe('drawdown', () => {
  it('counts a loss from the very start, with its dates', () => {
    const returns = column(-0.1, 0.2, -0.5, 0.5, 0.5, 0.1);
    expect(deepestDrawdown(returns)).toEqual({ depth: -0.5, peak: 2, trough: 3, recovered: 5 });
    expect(deepestDrawdown(column(-0.1, 0.05))).toEqual({
      depth: expect.closeTo(-0.1, 12) as number,
      peak: 0,
      trough: 1,
      recovered: null,
    });
    expect(deepestDrawdown(column(0.1, 0))).toBeNull();
  });

  it('is never above zero and never below −1, and its deepest point is the maximum', () => {
    fc.assert(
      fc.property(anyReturns, (returns) => {
        const series = drawdownSeries(returns);
        expect(Math.max(...series)).toBeLessThanOrEqual(0);
        expect(Math.min(...series)).toBeGreaterThanOrEqual(-1);
        expect(maxDrawdown(returns)).toBe(Math.min(0, ...series));
        expect(deepestDrawdown(returns)?.depth ?? 0).toBe(maxDrawdown(returns));
      }),
    );
  });
});

describe('ratios', () => {
  it('do not change when every return is scaled', () => {
    fc.assert(
      fc.property(anyReturns, (returns) => {
        fc.pre(sampleDeviation(returns) > 1e-6 && Math.min(...returns) < -1e-6);
        const half = returns.map((value) => value / 2);
        expect(sharpeRatio(half, 252)).toBeCloseTo(sharpeRatio(returns, 252), 6);
        expect(sortinoRatio(half, 252)).toBeCloseTo(sortinoRatio(returns, 252), 6);
      }),
    );
  });

  it('are infinite for a gain that never varies and absent when nothing moves', () => {
    expect(sharpeRatio(column(0.1, 0.1, 0.1), 252)).toBe(Number.POSITIVE_INFINITY);
    expect(sharpeRatio(column(0, 0, 0), 252)).toBeNaN();
    expect(sortinoRatio(column(0, 0, 0), 252)).toBeNaN();
  });

  it('recover the beta and alpha of the input', () => {
    const benchmark = column(0.01, -0.02, 0.03, 0.005, -0.01);
    const returns = benchmark.map((value) => 0.0001 + 1.5 * value);
    const { alpha, beta } = alphaBeta(returns, benchmark, 252);
    expect(beta).toBeCloseTo(1.5, 12);
    expect(alpha).toBeCloseTo(1.0001 ** 252 - 1, 10);
    expect(() => alphaBeta(returns, column(1), 252)).toThrow(RangeError);
  });
});

describe('the worst periods', () => {
  it('value at risk is the 5th percentile, the shortfall the mean of all values at or below it', () => {
    const returns = Float64Array.from({ length: 101 }, (_, i) => (i - 50) / 1000);
    expect(valueAtRisk(returns)).toBeCloseTo(-0.045, 12);
    expect(expectedShortfall(returns)).toBeCloseTo(-0.0475, 12);
    expect(expectedShortfall(column())).toBeNaN();
  });

  it('the shortfall is never milder than the value at risk', () => {
    fc.assert(
      fc.property(anyReturns, (returns) => {
        expect(expectedShortfall(returns)).toBeLessThanOrEqual(valueAtRisk(returns) + 1e-12);
      }),
    );
  });
});

describe('the month table', () => {
  const dates = [
    day('2023-12-28'),
    day('2023-12-29'),
    day('2024-01-02'),
    day('2024-01-03'),
    day('2024-03-01'),
  ];
  const returns = column(0.1, 0.1, -0.5, 0.5, 0.02);

  it('compounds the days of each month, and leaves months without a day out', () => {
    const found = monthTable(calendarReturns(dates, returns, 'month'));
    expect(found.map(({ year, months }) => [year, months.map(({ month }) => month)])).toEqual([
      [2023, [12]],
      [2024, [1, 3]],
    ]);
    expect(found[0]!.months[0]!.return).toBeCloseTo(0.21, 12);
    expect(found[1]!.months[0]!.return).toBeCloseTo(-0.25, 12);
  });

  it('names the best and the worst month', () => {
    const found = bestAndWorst(calendarReturns(dates, returns, 'month'));
    expect([found?.best.span, found?.worst.span]).toEqual(['2023-12', '2024-01']);
    expect(bestAndWorst([])).toBeNull();
  });

  it('starts weeks on Monday', () => {
    const week = calendarReturns(
      [day('2024-05-05'), day('2024-05-06'), day('2024-05-12')],
      column(0, 0, 0),
      'week',
    );
    expect(week.map(({ span }) => span)).toEqual(['2024-04-29', '2024-05-06']);
  });

  it('compounds to the total return', () => {
    fc.assert(
      fc.property(anyReturns, (values) => {
        const months = calendarReturns(daysFrom('2024-01-20', values.length), values, 'month');
        const together = totalReturn(Float64Array.from(months, (one) => one.return));
        expect(together).toBeCloseTo(totalReturn(values), 8);
      }),
    );
  });
});

describe('trades and activity', () => {
  const trade = (pnl: number, days = 1): ClosedTrade => ({
    enteredAt: 0 as Instant,
    exitedAt: (days * DAY_MS) as Instant,
    pnl,
    return: pnl / 1000,
  });

  it('a trade without profit or loss is neither won nor lost', () => {
    expect(winRate([trade(5), trade(-1), trade(0)])).toBe(0.5);
    expect(winRate([trade(0)])).toBeNaN();
    expect(profitFactor([trade(6), trade(-2), trade(0)])).toBe(3);
    expect(profitFactor([trade(6)])).toBe(Number.POSITIVE_INFINITY);
  });

  it('exposure counts the bars with a position, turnover the smaller side', () => {
    expect(exposure(column(0, 0.5, 1.5, 0))).toEqual({ timeInMarket: 0.5, averageGross: 0.5, maxGross: 1.5 });
    const facts = { bought: 400, sold: 200, averageEquity: 100, bars: 504, barsPerYear: 252 };
    expect(annualTurnover(facts)).toBe(1);
  });

  const input = (equity: Float64Array): ReportInput => ({
    dates: daysFrom('2024-01-01', equity.length),
    equity,
    benchmark: equity.map((value) => value * 2),
    periodsPerYear: 365,
    trades: [trade(5, 2)],
    gross: equity.map(() => 1),
    bought: 100,
    sold: 50,
  });

  it('the report holds every measure, dates included', () => {
    const report = performanceReport(input(column(100, 90, 120, 110)));
    expect(report).toMatchObject({
      totalReturn: expect.closeTo(0.1, 12) as number,
      maxDrawdown: expect.closeTo(-0.1, 12) as number,
      maxDrawdownDates: { peak: '2024-01-01', trough: '2024-01-02', recovered: '2024-01-03', bars: 2 },
      beta: expect.closeTo(1, 12) as number,
      timeInMarket: 1,
      winRate: 1,
      averageHoldingDays: 2,
      profitFactor: null,
      return1y: null,
    });
  });

  it('the report is JSON for any input: nothing in it is NaN or infinite', () => {
    const check = (value: unknown): void => {
      if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
      else if (value !== null && typeof value === 'object') Object.values(value).forEach(check);
    };
    for (const equity of [column(), column(100), column(100, 100, 100), column(1, 0, 0)]) {
      check(performanceReport({ ...input(equity), trades: [] }));
    }
  });
});

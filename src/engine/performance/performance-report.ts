// Every measure of one result, in fractions, from its daily values. Promises null, never NaN or infinity, where a
// measure is not defined: a report is also JSON.
import type { IsoDate } from '#units/instant.ts';
import { alphaBeta } from './alpha-beta.ts';
import { annualReturn } from './annual-return.ts';
import { annualVolatility } from './risk/annual-volatility.ts';
import { averageHoldingDays } from './trades/average-holding-period.ts';
import { averageTradeReturn } from './trades/average-trade-return.ts';
import {
  bestAndWorst,
  type BestAndWorst,
  calendarReturns,
  monthTable,
  type YearOfMonths,
} from './calendar-returns.ts';
import { calmarRatio } from './calmar-ratio.ts';
import type { ClosedTrade } from './trades/closed-trade.ts';
import { deepestDrawdown, maxDrawdown } from './risk/drawdown.ts';
import { expectedShortfall } from './risk/expected-shortfall.ts';
import { exposure } from './exposure.ts';
import { periodReturn } from './period-returns.ts';
import { profitFactor } from './trades/profit-factor.ts';
import { returnsOf } from './returns.ts';
import { sharpeRatio } from './sharpe-ratio.ts';
import { sortinoRatio } from './sortino-ratio.ts';
import { totalReturn } from './total-return.ts';
import { annualTurnover } from './turnover.ts';
import { valueAtRisk } from './risk/value-at-risk.ts';
import { winRate } from './trades/win-rate.ts';

export type ReportInput = {
  /** Ascending; the first is the day before the first return. */
  readonly dates: readonly IsoDate[];
  readonly equity: Float64Array;
  /** Worth of the benchmark on the same days, dividends reinvested, NaN where it has none; null without a benchmark. */
  readonly benchmark: Float64Array | null;
  /** 252 for weekday markets, 365 for those that trade every day. */
  readonly periodsPerYear: number;
  readonly trades: readonly ClosedTrade[];
  /** Gross exposure over equity at each close. */
  readonly gross: Float64Array;
  /** Sums of absolute notional, in the unit of equity. */
  readonly bought: number;
  readonly sold: number;
};

export type DrawdownDates = {
  readonly peak: IsoDate;
  readonly trough: IsoDate;
  /** Null until it has recovered. */
  readonly recovered: IsoDate | null;
  /** Bars from the peak to the recovery, or to the end. */
  readonly bars: number;
};

export type PerformanceReport = {
  readonly totalReturn: number | null;
  readonly annualReturn: number | null;
  readonly return30d: number | null;
  readonly returnYtd: number | null;
  readonly return1y: number | null;
  readonly return3y: number | null;
  readonly return5y: number | null;
  readonly volatility: number | null;
  readonly sharpe: number | null;
  readonly sortino: number | null;
  readonly calmar: number | null;
  /** At or below zero. */
  readonly maxDrawdown: number | null;
  readonly maxDrawdownDates: DrawdownDates | null;
  readonly alpha: number | null;
  readonly beta: number | null;
  /** One period, the worst 5 percent. */
  readonly valueAtRisk: number | null;
  readonly expectedShortfall: number | null;
  readonly timeInMarket: number | null;
  readonly averageGross: number | null;
  readonly maxGross: number | null;
  /** A year. */
  readonly turnover: number | null;
  readonly trades: number;
  readonly winRate: number | null;
  readonly profitFactor: number | null;
  readonly averageTradeReturn: number | null;
  /** Calendar days. */
  readonly averageHoldingDays: number | null;
  readonly months: BestAndWorst | null;
  readonly monthlyReturns: readonly YearOfMonths[];
};

export function performanceReport(input: ReportInput): PerformanceReport {
  const { dates, equity, periodsPerYear } = input;
  if (dates.length !== equity.length) throw new RangeError('dates and equity differ in length');
  const returns = returnsOf(equity);
  const months = calendarReturns(dates.slice(1), returns, 'month');
  return {
    totalReturn: orNull(totalReturn(returns)),
    annualReturn: orNull(annualReturn(returns, periodsPerYear)),
    return30d: orNull(periodReturn(dates, equity, '30d')),
    returnYtd: orNull(periodReturn(dates, equity, 'ytd')),
    return1y: orNull(periodReturn(dates, equity, '1y')),
    return3y: orNull(periodReturn(dates, equity, '3y')),
    return5y: orNull(periodReturn(dates, equity, '5y')),
    volatility: orNull(annualVolatility(returns, periodsPerYear)),
    sharpe: orNull(sharpeRatio(returns, periodsPerYear)),
    sortino: orNull(sortinoRatio(returns, periodsPerYear)),
    calmar: orNull(calmarRatio(returns, periodsPerYear)),
    maxDrawdown: orNull(maxDrawdown(returns)),
    maxDrawdownDates: drawdownDates(dates, returns),
    ...againstBenchmark(input, returns),
    valueAtRisk: orNull(valueAtRisk(returns)),
    expectedShortfall: orNull(expectedShortfall(returns)),
    ...activity(input),
    months: bestAndWorst(months),
    monthlyReturns: monthTable(months),
  };
}

function againstBenchmark(
  { benchmark, periodsPerYear }: ReportInput,
  returns: Float64Array,
): Pick<PerformanceReport, 'alpha' | 'beta'> {
  if (benchmark === null) return { alpha: null, beta: null };
  const { alpha, beta } = alphaBeta(returns, returnsOf(benchmark), periodsPerYear);
  return { alpha: orNull(alpha), beta: orNull(beta) };
}

type ActivityMeasures =
  | 'timeInMarket'
  | 'averageGross'
  | 'maxGross'
  | 'turnover'
  | 'trades'
  | 'winRate'
  | 'profitFactor'
  | 'averageTradeReturn'
  | 'averageHoldingDays';

function activity(input: ReportInput): Pick<PerformanceReport, ActivityMeasures> {
  const { equity, gross, trades } = input;
  const { timeInMarket, averageGross, maxGross } = exposure(gross);
  let sum = 0;
  for (let i = 0; i < equity.length; i++) sum += equity[i]!;
  const turnover = annualTurnover({
    bought: input.bought,
    sold: input.sold,
    averageEquity: sum / equity.length,
    bars: equity.length,
    barsPerYear: input.periodsPerYear,
  });
  return {
    timeInMarket: orNull(timeInMarket),
    averageGross: orNull(averageGross),
    maxGross: orNull(maxGross),
    turnover: orNull(turnover),
    trades: trades.length,
    winRate: orNull(winRate(trades)),
    profitFactor: orNull(profitFactor(trades)),
    averageTradeReturn: orNull(averageTradeReturn(trades)),
    averageHoldingDays: orNull(averageHoldingDays(trades)),
  };
}

function drawdownDates(dates: readonly IsoDate[], returns: Float64Array): DrawdownDates | null {
  const span = deepestDrawdown(returns);
  if (span === null) return null;
  return {
    peak: dates[span.peak]!,
    trough: dates[span.trough]!,
    recovered: span.recovered === null ? null : dates[span.recovered]!,
    bars: (span.recovered ?? dates.length - 1) - span.peak,
  };
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

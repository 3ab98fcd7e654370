// The measures of a result before and after its version was committed. In-sample data may have influenced the choice of
// the rules; out-of-sample begins with the first close after the commit, which was unknown then.
import type { Instant } from '#units/instant.ts';
import type { BacktestResult } from '../backtest/result.ts';
import type { BacktestInput } from '../backtest/settings.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { netOfFee } from '../performance/net-of-fee.ts';
import {
  type PerformanceReport,
  performanceReport,
  type ReportInput,
} from '../performance/performance-report.ts';
import { returnsOf } from '../performance/returns.ts';
import { reportInput } from '../backtest/summarize.ts';
import { summaryRows } from '../backtest/summary-rows.ts';

/** Headline measures after the performance fee. */
export type NetMeasures = Pick<
  PerformanceReport,
  'totalReturn' | 'annualReturn' | 'volatility' | 'sharpe' | 'maxDrawdown'
>;

export type SampleReport = {
  readonly firstDate: string;
  readonly lastDate: string;
  /** Closes that a return was measured at. */
  readonly periods: number;
  /** Before the performance fee, after commission and slippage. */
  readonly gross: PerformanceReport;
  readonly net: NetMeasures;
};

export type SampleReports = {
  readonly whole: SampleReport;
  readonly inSample: SampleReport | null;
  readonly outOfSample: SampleReport | null;
  /** Where a model decides: the days that it may have known. They are in none of the other parts. Null where there are none. */
  readonly known?: SampleReport | null;
};

/** Returns per period of both parts, for the overfitting statistics. */
export type SampleReturns = { readonly inSample: Float64Array; readonly outOfSample: Float64Array };

export type SampleTerms = {
  readonly committedAt: Instant;
  readonly feePercent: number;
};

export function sampleReports(
  input: Pick<BacktestInput, 'definition' | 'instruments'>,
  result: BacktestResult,
  { committedAt, feePercent, benchmark: series }: SampleTerms & { readonly benchmark: BarSeries | null },
): SampleReports {
  const rows = result.timeline.length;
  const known = rowsUntil(result.timeline, committedAt);
  const { dates, benchmark } = summaryRows(result.timeline, series);
  const report = (from: number, to: number) => {
    if (to - from < 2) return null;
    const measured = { dates: dates.slice(from, to), benchmark: benchmark?.slice(from, to) ?? null };
    return sampleReport(reportInput(input, cut(result, from, to), measured), feePercent);
  };
  const whole = report(0, rows);
  if (whole === null) throw new RangeError('a result of fewer than two closes has no measures');
  // The last close before the commit is what the first return after it is measured from.
  return { whole, inSample: report(0, known), outOfSample: report(Math.max(0, known - 1), rows) };
}

/** From the last close at or before `through` on, which the first return after it is measured from; the same where that is the first. */
export function resultAfter(result: BacktestResult, through: number): BacktestResult {
  const first = rowsUntil(result.timeline, through) - 1;
  if (first <= 0) return result;
  return { ...result, timeline: result.timeline.slice(first), ...cut(result, first, result.timeline.length) };
}

/** The part before `judged`. */
export function knownReport(
  input: Pick<BacktestInput, 'definition' | 'instruments'>,
  result: BacktestResult,
  {
    judged,
    feePercent,
    benchmark: series,
  }: { readonly judged: BacktestResult; readonly feePercent: number; readonly benchmark: BarSeries | null },
): SampleReport | null {
  const rows = result.timeline.length - judged.timeline.length + 1;
  if (rows < 2) return null;
  const { dates, benchmark } = summaryRows(result.timeline.slice(0, rows), series);
  return sampleReport(reportInput(input, cut(result, 0, rows), { dates, benchmark }), feePercent);
}

export function sampleReturns(
  { timeline, equity }: Pick<BacktestResult, 'timeline' | 'equity'>,
  committedAt: Instant,
): Record<keyof SampleReturns, Float64Array<ArrayBuffer>> {
  const returns = returnsOf(equity);
  const known = Math.max(0, rowsUntil(timeline, committedAt) - 1);
  return { inSample: returns.slice(0, known), outOfSample: returns.slice(known) };
}

function sampleReport(input: ReportInput, feePercent: number): SampleReport {
  const { dates, equity } = input;
  const net = performanceReport({ ...input, equity: netOfFee(dates, equity, feePercent) });
  const { totalReturn, annualReturn, volatility, sharpe, maxDrawdown } = net;
  return {
    firstDate: dates[0]!,
    lastDate: dates.at(-1)!,
    periods: dates.length - 1,
    gross: performanceReport(input),
    net: { totalReturn, annualReturn, volatility, sharpe, maxDrawdown },
  };
}

/** Rows [from, to); a trade belongs to the part in which it was closed. */
function cut(result: BacktestResult, from: number, to: number) {
  const { timeline } = result;
  const after = from === 0 ? Number.NEGATIVE_INFINITY : timeline[from]!;
  const until = timeline[to - 1]!;
  return {
    equity: result.equity.slice(from, to),
    exposure: result.exposure.slice(from, to),
    trades: result.trades.filter(({ exitAt }) => exitAt > after && exitAt <= until),
    fills: result.fills.filter(({ at }) => at > after && at <= until),
  };
}

function rowsUntil(timeline: Float64Array, at: number): number {
  let rows = 0;
  while (rows < timeline.length && timeline[rows]! <= at) rows++;
  return rows;
}

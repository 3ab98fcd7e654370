// The published figures of a backtest, as specification section 3 names them: returns, volatility, drawdown and rates
// in percent, the drawdown series in fractions. Null where a figure is not defined, never a guess.
import type { IsoDate } from '#units/instant.ts';
import { fromMicro, type Micro, notional } from '#units/money.ts';
import type { BacktestResult } from './result.ts';
import type { BacktestInput } from './settings.ts';
import { type SummaryRows, summaryRows } from './summary-rows.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { optionInstrument, parseOption } from '../market/option-contract.ts';
import { drawdownSeries } from '../performance/risk/drawdown.ts';
import {
  type PerformanceReport,
  performanceReport,
  type ReportInput,
} from '../performance/performance-report.ts';
import { returnsOf } from '../performance/returns.ts';
import { dollarsPerQuote } from '../portfolio/quote-rate.ts';

export type BacktestFigures = {
  readonly return_inception: number | null;
  readonly return_30d: number | null;
  readonly annual_return: number | null;
  readonly ytd_return: number | null;
  readonly return_1y: number | null;
  readonly volatility: number | null;
  readonly sharpe_ratio: number | null;
  readonly sortino_ratio: number | null;
  /** How deep, in percent, positive. */
  readonly max_drawdown: number | null;
  readonly total_trades: number;
  readonly win_rate: number | null;
  readonly average_trade_return: number | null;
  /** Calendar days. */
  readonly average_holding_period: number | null;
};

export type BacktestSummary = {
  readonly figures: BacktestFigures;
  readonly labels: readonly IsoDate[];
  /** Equity in dollars at each label. */
  readonly data: readonly number[];
  /** The first equity invested in the benchmark, dividends reinvested; null before its first bar or without one. */
  readonly benchmark: readonly (number | null)[];
  /** Fractions at or below zero. */
  readonly drawdown: readonly number[];
  readonly monthlyReturns: PerformanceReport['monthlyReturns'];
  readonly report: PerformanceReport;
};

/** Figures without the series. `benchmark` is the series of definition.benchmark, null when there is none. */
export function measureResult(
  input: Pick<BacktestInput, 'definition' | 'instruments'>,
  result: BacktestResult,
  rows: SummaryRows,
): Pick<BacktestSummary, 'figures' | 'report'> {
  const report = performanceReport(reportInput(input, result, rows));
  return { figures: figuresOf(report), report };
}

/** `benchmark` is the series of definition.benchmark, null when there is none. */
export function summarize(
  { definition, instruments }: Pick<BacktestInput, 'definition' | 'instruments'>,
  result: BacktestResult,
  benchmark: BarSeries | null,
): BacktestSummary {
  const { equity, timeline } = result;
  const rows = summaryRows(timeline, benchmark);
  const { figures, report } = measureResult({ definition, instruments }, result, rows);
  return {
    figures,
    labels: rows.dates,
    data: Array.from(equity, (value) => fromMicro(value as Micro)),
    benchmark: inMoneyOf(rows.benchmark, equity),
    drawdown: equity.length === 0 ? [] : [0, ...drawdownSeries(returnsOf(equity))],
    monthlyReturns: report.monthlyReturns,
    report,
  };
}

/** The input of the measures. */
export function reportInput(
  { definition, instruments }: Pick<BacktestInput, 'definition' | 'instruments'>,
  result: Pick<BacktestResult, 'equity' | 'exposure' | 'trades' | 'fills'>,
  { dates, benchmark }: SummaryRows,
): ReportInput {
  const { equity, exposure } = result;
  const gross = new Float64Array(exposure.length);
  for (let t = 0; t < gross.length; t++) gross[t] = exposure[t]! / equity[t]!;
  return {
    dates,
    equity,
    benchmark,
    periodsPerYear: definition.periodsPerYear,
    trades: result.trades.map((trade) => ({
      enteredAt: trade.entryAt,
      exitedAt: trade.exitAt,
      pnl: trade.pnl,
      return: trade.returnPercent / 100,
    })),
    gross,
    ...traded(result, instruments),
  };
}

function figuresOf(report: PerformanceReport): BacktestFigures {
  return {
    return_inception: percent(report.totalReturn),
    return_30d: percent(report.return30d),
    annual_return: percent(report.annualReturn),
    ytd_return: percent(report.returnYtd),
    return_1y: percent(report.return1y),
    volatility: percent(report.volatility),
    sharpe_ratio: report.sharpe,
    sortino_ratio: report.sortino,
    max_drawdown: report.maxDrawdown === null ? null : Math.abs(report.maxDrawdown) * 100,
    total_trades: report.trades,
    win_rate: percent(report.winRate),
    average_trade_return: percent(report.averageTradeReturn),
    average_holding_period: report.averageHoldingDays,
  };
}

function percent(fraction: number | null): number | null {
  return fraction === null ? null : fraction * 100;
}

function inMoneyOf(worth: Float64Array | null, equity: Float64Array): (number | null)[] {
  if (worth === null) return Array.from(equity, () => null);
  const first = worth.findIndex((value) => !Number.isNaN(value));
  return Array.from(worth, (value) => {
    return Number.isNaN(value) ? null : (fromMicro(equity[first] as Micro) * value) / worth[first]!;
  });
}

/** Sums of absolute notional in Micro, the unit of equity. */
function traded(
  result: Pick<BacktestResult, 'fills'>,
  instruments: BacktestInput['instruments'],
): { bought: number; sold: number } {
  let bought = 0;
  let sold = 0;
  for (const { symbol, side, quantity, price } of result.fills) {
    const option = parseOption(symbol);
    const instrument = instruments.get(symbol) ?? optionInstrument(option!);
    const worth =
      notional(quantity, price, instrument.multiplier) * dollarsPerQuote(instrument, price, NO_MARKS);
    if (side === 'buy') bought += worth;
    else sold += worth;
  }
  return { bought, sold };
}

const NO_MARKS: ReadonlyMap<never, number> = new Map<never, number>();

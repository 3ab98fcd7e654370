// What is shown of a result: the headline figures of specification section 3, the daily series and the closed trades.
// Computed here, so that a repeated run gives exactly the same and can be compared.
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import { fromQuantity } from '#units/quantity.ts';
import type { BacktestResult } from '../backtest/result.ts';
import type { BacktestSummary } from '../backtest/summarize.ts';

/** Percent unless said otherwise; null where the history is too short. */
export type PublishedFigures = {
  readonly return_inception: number;
  readonly return_30d: number | null;
  readonly annual_return: number;
  readonly ytd_return: number | null;
  readonly return_1y: number | null;
  readonly return_3y: number | null;
  readonly return_5y: number | null;
  readonly volatility: number;
  readonly sharpe_ratio: number;
  readonly sortino_ratio: number;
  readonly max_drawdown: number;
  readonly total_trades: number;
  readonly win_rate: number | null;
  readonly average_trade_return: number | null;
  /** Days. */
  readonly average_holding_period: number | null;
};

/** Parallel daily series over the whole history, oldest first; labels are ISO dates. */
export type PublishedSeries = {
  readonly labels: readonly string[];
  /** Equity in dollars. */
  readonly data: readonly number[];
  /** The benchmark's worth, dividends reinvested, scaled to start at data's start; null where it has none. */
  readonly benchmark: readonly (number | null)[];
  /** Fractions at or below zero. */
  readonly drawdown: readonly number[];
  /** Percent. */
  readonly monthly_returns: readonly {
    readonly year: number;
    readonly months: readonly { readonly month: number; readonly return: number }[];
  }[];
};

/** Closed trades, oldest first. */
export type PublishedTrade = {
  readonly id: string;
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly entry_date: string;
  readonly exit_date: string;
  readonly entry_price: number;
  readonly exit_price: number;
  readonly quantity: number;
  /** Percent. */
  readonly pnl: number;
  /** Dollars, net of commission. */
  readonly pnl_amount: number;
};

/** Null while the bars are too few for the figures to be defined. */
export function publishedFigures({
  figures,
  report,
}: Pick<BacktestSummary, 'figures' | 'report'>): PublishedFigures | null {
  const { return_inception, annual_return, volatility, sharpe_ratio, sortino_ratio, max_drawdown } = figures;
  if (return_inception === null || annual_return === null || volatility === null) return null;
  if (sharpe_ratio === null || sortino_ratio === null || max_drawdown === null) return null;
  const percent = (fraction: number | null) => (fraction === null ? null : fraction * 100);
  return {
    ...figures,
    return_inception,
    annual_return,
    volatility,
    sharpe_ratio,
    sortino_ratio,
    max_drawdown,
    return_3y: percent(report.return3y),
    return_5y: percent(report.return5y),
  };
}

export function publishedSeries(summary: BacktestSummary): PublishedSeries {
  return {
    labels: summary.labels,
    data: summary.data,
    benchmark: summary.benchmark,
    drawdown: summary.drawdown,
    monthly_returns: summary.monthlyReturns.map(({ year, months }) => ({
      year,
      months: months.map((one) => ({ month: one.month, return: one.return * 100 })),
    })),
  };
}

export function publishedTrades(result: BacktestResult): readonly PublishedTrade[] {
  return result.trades.map((trade, index) => ({
    id: String(index + 1),
    symbol: trade.symbol,
    side: trade.side,
    entry_date: dayBefore(trade.entryAt),
    exit_date: dayBefore(trade.exitAt),
    entry_price: trade.entryPrice,
    exit_price: trade.exitPrice,
    quantity: fromQuantity(trade.quantity),
    pnl: trade.returnPercent,
    pnl_amount: fromMicro(trade.pnl),
  }));
}

/** The day that a bar closing at `at` belongs to: one that closes at midnight is the day before's. */
function dayBefore(at: Instant): IsoDate {
  return utcDate((at - 1) as Instant);
}

// Results of the engine over closed bars, one per strategy version and input. Written by whoever ran the engine
// (processes and trader), read by the catalogue's screens. Never changed: a new input is a new row.
import { randomUUID } from 'node:crypto';
import type { StrategyVersionId } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Database } from './database.ts';

/** The published figures. Percent unless said otherwise; null where the history is too short. */
export type BacktestFigures = {
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
export type BacktestSeries = {
  readonly labels: readonly string[];
  /** Equity in dollars. */
  readonly data: readonly number[];
  /** The benchmark's close scaled to start at data's start; null where it has none. */
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
export type BacktestTrade = {
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

export type StoredBacktest = {
  readonly versionId: StrategyVersionId;
  /** hash(engine, definition, data, costs). */
  readonly inputHash: string;
  readonly resultHash: string;
  readonly firstDate: IsoDate;
  readonly lastDate: IsoDate;
  readonly figures: BacktestFigures;
  readonly series: BacktestSeries;
  readonly trades: readonly BacktestTrade[];
};

/** Keeps a result. The same input again changes nothing. */
export async function saveBacktest(database: Database, backtest: StoredBacktest): Promise<void> {
  await database
    .insertInto('backtests')
    .values({
      id: randomUUID(),
      strategy_version_id: backtest.versionId,
      input_hash: backtest.inputHash,
      result_hash: backtest.resultHash,
      first_date: backtest.firstDate,
      last_date: backtest.lastDate,
      figures: JSON.stringify(backtest.figures),
      series: JSON.stringify(backtest.series),
      trades: JSON.stringify(backtest.trades),
    })
    .onConflict((conflict) => conflict.columns(['strategy_version_id', 'input_hash']).doNothing())
    .execute();
}

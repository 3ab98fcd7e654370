// A backtest of one instrument as plain data in natural units: what is written to a file.
import type { BacktestResult } from '#engine/backtest/result.ts';
import { deepestFall } from '#engine/performance/risk/drawdown.ts';
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import { fromMicro, type Micro } from '#units/money.ts';
import { fromQuantity } from '#units/quantity.ts';

type BacktestReport = {
  readonly final_equity: number;
  /** A fraction, positive. */
  readonly max_drawdown: number;
  readonly trades: readonly ReportedTrade[];
  readonly equity: readonly { readonly date: IsoDate; readonly equity: number }[];
};

type ReportedTrade = {
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly entry_date: IsoDate;
  readonly exit_date: IsoDate;
  readonly entry_price: number;
  readonly exit_price: number;
  /** Units, positive. */
  readonly quantity: number;
  /** Dollars, net of commission. */
  readonly pnl: number;
  /** Percent of what was entered for. */
  readonly return: number;
};

export function describeBacktest({ timeline, equity, trades, finalEquity }: BacktestResult): BacktestReport {
  return {
    final_equity: fromMicro(finalEquity),
    max_drawdown: deepestFall(equity),
    trades: trades.map((trade) => ({
      symbol: trade.symbol,
      side: trade.side,
      entry_date: dayOf(trade.entryAt),
      exit_date: dayOf(trade.exitAt),
      entry_price: trade.entryPrice,
      exit_price: trade.exitPrice,
      quantity: fromQuantity(trade.quantity),
      pnl: fromMicro(trade.pnl),
      return: trade.returnPercent,
    })),
    equity: Array.from(equity, (value, row) => ({
      date: dayOf(timeline[row]! as Instant),
      equity: fromMicro(value as Micro),
    })),
  };
}

/** The day that a bar belongs to: it closes no later than the end of the day. */
const dayOf = (closedAt: Instant) => utcDate((closedAt - 1) as Instant);

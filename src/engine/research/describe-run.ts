// A research run as plain data in natural units: what is written to a file or shown.
import { utcDate, type Instant } from '#units/instant.ts';
import { fromMicro, type Micro } from '#units/money.ts';
import type { ResearchResult } from './execution.ts';

export type ResearchReport = {
  readonly final_equity: number;
  /** A fraction, positive. */
  readonly max_drawdown: number;
  readonly trades: readonly ResearchTrade[];
  readonly equity: readonly { readonly date: string; readonly equity: number }[];
};

export type ResearchTrade = {
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly entry_date: string;
  readonly exit_date: string;
  readonly entry_bar: number;
  readonly exit_bar: number;
  readonly entry_price: number;
  readonly exit_price: number;
  /** Units, positive. */
  readonly quantity: number;
  /** Dollars; the profit is net of it. */
  readonly commission: number;
  readonly pnl: number;
  /** Percent of what was entered for. */
  readonly return: number;
};

export function describeRun({
  bars,
  equity,
  trades,
  finalEquity,
  maxDrawdown,
}: ResearchResult): ResearchReport {
  const dateOf = (bar: number) => utcDate((bars.closedAt[bar]! - 1) as Instant);
  return {
    final_equity: fromMicro(finalEquity),
    max_drawdown: maxDrawdown,
    trades: trades.list().map((trade) => {
      const units = trade.quantity / 1e8;
      const pnl = trade.pnl / 1e6;
      return {
        symbol: bars.symbol,
        side: units > 0 ? 'long' : 'short',
        entry_date: dateOf(trade.entryBar),
        exit_date: dateOf(trade.exitBar),
        entry_bar: trade.entryBar,
        exit_bar: trade.exitBar,
        entry_price: trade.entryPrice,
        exit_price: trade.exitPrice,
        quantity: Math.abs(units),
        commission: trade.commission / 1e6,
        pnl,
        return: (pnl / (Math.abs(units) * trade.entryPrice)) * 100,
      };
    }),
    equity: Array.from(equity, (value, bar) => ({ date: dateOf(bar), equity: fromMicro(value as Micro) })),
  };
}

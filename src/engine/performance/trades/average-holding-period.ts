// Average holding period: the mean time from entry to exit of the closed trades, in calendar days (specification,
// section 3). NaN when there are none.
import { DAY_MS } from '#units/instant.ts';
import type { ClosedTrade } from './closed-trade.ts';

export function averageHoldingDays(trades: readonly ClosedTrade[]): number {
  return trades.reduce((sum, trade) => sum + (trade.exitedAt - trade.enteredAt) / DAY_MS, 0) / trades.length;
}

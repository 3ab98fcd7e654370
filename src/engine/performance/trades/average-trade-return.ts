// Average trade return: the arithmetic mean of the closed trades' own returns, a fraction
// (specification, section 3). NaN when there are none.
import type { ClosedTrade } from './closed-trade.ts';

export function averageTradeReturn(trades: readonly ClosedTrade[]): number {
  return trades.reduce((sum, trade) => sum + trade.return, 0) / trades.length;
}

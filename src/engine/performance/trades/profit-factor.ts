// Profit factor: the money won by winning trades over the money lost by losing ones (Schwager, Market Sense and
// Nonsense). Infinite when nothing was lost, NaN when nothing was won or lost.
import type { ClosedTrade } from './closed-trade.ts';

export function profitFactor(trades: readonly ClosedTrade[]): number {
  let won = 0;
  let lost = 0;
  for (const { pnl } of trades) {
    if (pnl > 0) won += pnl;
    else lost -= pnl;
  }
  return won / lost;
}

// Win rate: profitable closed trades over closed trades whose profit or loss is not zero (specification, section 9),
// as a fraction. NaN when there are none.
import type { ClosedTrade } from './closed-trade.ts';

export function winRate(trades: readonly ClosedTrade[]): number {
  let won = 0;
  let decided = 0;
  for (const { pnl } of trades) {
    if (pnl > 0) won++;
    if (pnl !== 0) decided++;
  }
  return decided === 0 ? Number.NaN : won / decided;
}

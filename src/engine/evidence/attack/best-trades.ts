// What is left without the five closed trades that earned most: their profits are taken off the sum of all, as they were booked. What
// was earned with these profits later stays, so the figure is cautious towards the strategy; positions still open do not count.
import { fromMicro, type Micro } from '#units/money.ts';
import type { BacktestResult } from '../../backtest/result.ts';
import { type AttackFinding, judged, notRun } from './attack-result.ts';

export function attackOnBestTrades(trades: BacktestResult['trades'], initialCash: Micro): AttackFinding {
  if (trades.length < LEAST_TRADES) return notRun('too_few_trades');
  const profits = trades.map(({ pnl }) => fromMicro(pnl)).toSorted((one, other) => other - one);
  const left = profits.slice(BEST).reduce((sum, profit) => sum + profit, 0);
  return judged(left / fromMicro(initialCash), 0);
}

const BEST = 5;
/** Of fewer, five are too large a part. */
const LEAST_TRADES = 20;

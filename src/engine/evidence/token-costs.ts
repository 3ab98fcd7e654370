// A result less what asking a deciding model cost, from each close at which it was asked on.
import type { Micro } from '#units/money.ts';
import type { BacktestResult } from '../backtest/result.ts';
import type { TokenCosts } from '../decider/recorded-answers.ts';

/** The same where nothing was asked. What was asked before the first row or after the last is not charged: it decided nothing. */
export function withTokenCosts(result: BacktestResult, costs: TokenCosts = []): BacktestResult {
  const { timeline } = result;
  const first = timeline[0] ?? Number.POSITIVE_INFINITY;
  const charged = costs.filter(({ at }) => at >= first && at <= timeline.at(-1)!);
  if (charged.length === 0) return result;
  const equity = result.equity.slice();
  const cash = result.cash.slice();
  let paid = 0;
  let next = 0;
  for (let t = 0; t < timeline.length; t++) {
    while (next < charged.length && charged[next]!.at <= timeline[t]!) paid += charged[next++]!.cost;
    equity[t]! -= paid;
    cash[t]! -= paid;
  }
  return { ...result, equity, cash, finalEquity: (result.finalEquity - paid) as Micro };
}

// A result at the last row of each day: figures are of days, whatever the strategy reads, so that they compare.
import { endsDay } from '../market/trading-day.ts';
import type { StrategyDefinition } from '../strategy/definition.ts';
import type { BacktestResult } from './result.ts';

/** The same result where a bar is a day. Fills and trades stay whole. */
export function atDayEnds({ interval }: StrategyDefinition, result: BacktestResult): BacktestResult {
  if (interval === undefined) return result;
  const { timeline } = result;
  const isLast = (_: number, row: number) => endsDay(timeline, row);
  return {
    ...result,
    timeline: timeline.filter(isLast),
    equity: result.equity.filter(isLast),
    cash: result.cash.filter(isLast),
    exposure: result.exposure.filter(isLast),
  };
}

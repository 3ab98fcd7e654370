// Calmar ratio (Young, Futures, 1991), over the whole history: annual return over the depth of the deepest drawdown.
// NaN when there was none.
import { annualReturn } from './annual-return.ts';
import { maxDrawdown } from './risk/drawdown.ts';

export function calmarRatio(returns: Float64Array, periodsPerYear: number): number {
  const depth = maxDrawdown(returns);
  return depth < 0 ? annualReturn(returns, periodsPerYear) / -depth : Number.NaN;
}

// A share held with each dividend reinvested on its ex-date, without costs: what a record is compared with.
import { annualReturn } from '#engine/performance/annual-return.ts';
import { annualVolatility } from '#engine/performance/risk/annual-volatility.ts';
import { maxDrawdown } from '#engine/performance/risk/drawdown.ts';
import { sharpeRatio } from '#engine/performance/sharpe-ratio.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { returnsOf } from '#engine/performance/returns.ts';
import { totalReturnCloses } from '#engine/market/total-return-closes.ts';
import type { Instant } from '#units/instant.ts';

/** In percent, but for the ratio; the drawdown positive. */
export type HeldFigures = {
  readonly annual_return: number;
  readonly volatility: number;
  readonly sharpe_ratio: number;
  readonly max_drawdown: number;
};

export function heldFigures(
  series: BarSeries,
  { from, to }: { readonly from: Instant; readonly to: Instant },
): HeldFigures {
  const returns = returnsOf(totalReturnCloses(series)).filter(
    (_value, i) => series.closedAt[i + 1]! > from && series.closedAt[i + 1]! <= to,
  );
  return {
    annual_return: annualReturn(returns, DAYS_A_YEAR) * 100,
    volatility: annualVolatility(returns, DAYS_A_YEAR) * 100,
    sharpe_ratio: sharpeRatio(returns, DAYS_A_YEAR),
    max_drawdown: Math.abs(maxDrawdown(returns)) * 100,
  };
}

const DAYS_A_YEAR = 252;

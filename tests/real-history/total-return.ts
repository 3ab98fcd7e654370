// A share held with each dividend reinvested on its ex-date, without costs: what a record is compared with.
import { annualReturn } from '#engine/performance/annual-return.ts';
import { annualVolatility } from '#engine/performance/risk/annual-volatility.ts';
import { maxDrawdown } from '#engine/performance/risk/drawdown.ts';
import { sharpeRatio } from '#engine/performance/sharpe-ratio.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';

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
  const returns = totalReturns(series).filter(
    (_value, i) => series.closedAt[i + 1]! > from && series.closedAt[i + 1]! <= to,
  );
  return {
    annual_return: annualReturn(returns, DAYS_A_YEAR) * 100,
    volatility: annualVolatility(returns, DAYS_A_YEAR) * 100,
    sharpe_ratio: sharpeRatio(returns, DAYS_A_YEAR),
    max_drawdown: Math.abs(maxDrawdown(returns)) * 100,
  };
}

/** One for each bar after the first. */
function totalReturns({ close, closedAt, actions = [] }: BarSeries): Float64Array {
  const happened = Map.groupBy(actions, ({ exDate }) => exDate);
  const returns = new Float64Array(Math.max(0, close.length - 1));
  for (let i = 1; i < close.length; i++) {
    const date: IsoDate = utcDate((closedAt[i]! - 1) as Instant);
    let worth = close[i]!;
    for (const { kind, amount } of happened.get(date) ?? [])
      worth = kind === 'split' ? worth * amount : worth + amount;
    returns[i - 1] = worth / close[i - 1]! - 1;
  }
  return returns;
}

const DAYS_A_YEAR = 252;

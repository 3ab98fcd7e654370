// Measures of an independent engine's runs, from its own equity curves and trades.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Instant, IsoDate } from '#units/instant.ts';
import { annualReturn } from '#engine/performance/annual-return.ts';
import { annualVolatility } from '#engine/performance/risk/annual-volatility.ts';
import { averageHoldingDays } from '#engine/performance/trades/average-holding-period.ts';
import { averageTradeReturn } from '#engine/performance/trades/average-trade-return.ts';
import { calendarReturns } from '#engine/performance/calendar-returns.ts';
import { calmarRatio } from '#engine/performance/calmar-ratio.ts';
import { downsideRisk } from '#engine/performance/risk/downside-risk.ts';
import { maxDrawdown } from '#engine/performance/risk/drawdown.ts';
import { profitFactor } from '#engine/performance/trades/profit-factor.ts';
import { returnsOf } from '#engine/performance/returns.ts';
import { sharpeRatio } from '#engine/performance/sharpe-ratio.ts';
import { sortinoRatio } from '#engine/performance/sortino-ratio.ts';
import { totalReturn } from '#engine/performance/total-return.ts';
import { winRate } from '#engine/performance/trades/win-rate.ts';
import { readSharedText, readVectors, SHARED } from '../support/shared-data.ts';
import { compareMeasure } from './compare-measure.ts';
import type { Comparison, OracleCase } from './comparison.ts';
import { sampleMoments } from './sample-moments.ts';

/** One case for each run whose equity curve is there. */
export function runMeasureCases(): OracleCase[] {
  const runs = readVectors<{ cases: Run[] }>(FILE)?.cases ?? [];
  return runs
    .filter(({ id, expected }) => existsSync(curveOf(id)) && expected.stats['n_returns'] !== undefined)
    .map((run) => ({
      file: FILE,
      name: `measures of ${run.id}`,
      compare: () => [...compareCurve(run), ...compareTrades(run)],
    }));
}

function compareCurve({ id, expected: { stats } }: Run): Comparison[] {
  const lines = readSharedText(`vectors/equity/dev__${id}.csv.gz`)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  const dates = lines.map(([date]) => date!.slice(0, 10) as IsoDate);
  const returns = returnsOf(Float64Array.from(lines, ([, equity]) => Number(equity)));
  const spans = [
    ['month', stats.monthly_returns],
    ['year', stats.yearly_returns],
  ] as const;
  // The equity files carry six decimals.
  const tolerance = 1e-7;
  return [
    ...Object.entries(measuresOf(returns, stats['annual_return_365'] !== undefined)).map(([what, ours]) =>
      compareMeasure({ what, theirs: stats[what]!, ours, tolerance }),
    ),
    ...spans.flatMap(([span, wanted]) =>
      calendarReturns(dates.slice(1), returns, span).map((one) =>
        compareMeasure({ what: one.span, theirs: wanted[one.span]!, ours: one.return, tolerance }),
      ),
    ),
  ];
}

function measuresOf(returns: Float64Array, hasCalendarYear: boolean): Record<string, number> {
  const { skewness, kurtosis } = sampleMoments(returns);
  const ours: Record<string, number> = {
    n_returns: returns.length,
    total_return: totalReturn(returns),
    annual_return_252: annualReturn(returns, 252),
    annual_volatility_252_ddof1: annualVolatility(returns, 252),
    sharpe_rf0_252: sharpeRatio(returns, 252),
    sortino_mar0_252: sortinoRatio(returns, 252),
    downside_risk_252: downsideRisk(returns, 252),
    max_drawdown: maxDrawdown(returns),
    calmar: calmarRatio(returns, 252),
    skew: skewness,
    kurtosis_excess: kurtosis,
  };
  if (hasCalendarYear) {
    ours['annual_return_365'] = annualReturn(returns, 365);
    ours['annual_volatility_365'] = annualVolatility(returns, 365);
    ours['sharpe_rf0_365'] = sharpeRatio(returns, 365);
    ours['sortino_mar0_365'] = sortinoRatio(returns, 365);
  }
  return ours;
}

function compareTrades({ trades, expected: { stats } }: Run): Comparison[] {
  const closed = (trades ?? []).map((trade) => ({
    enteredAt: Date.parse(trade.entry_date) as Instant,
    exitedAt: Date.parse(trade.exit_date) as Instant,
    pnl: trade.pnl_net,
    return: trade.return_net,
  }));
  if (closed.length === 0) return [];
  const measures = [
    ['win_rate', winRate(closed), 1e-9],
    ['avg_trade_return', averageTradeReturn(closed), 1e-7],
    ['profit_factor_pnl', profitFactor(closed), 1e-7],
    ['avg_holding_calendar_days', averageHoldingDays(closed), 1e-6],
  ] as const;
  return measures.map(([what, ours, tolerance]) =>
    compareMeasure({ what, theirs: stats[what]!, ours, tolerance }),
  );
}

type Trade = { entry_date: string; exit_date: string; pnl_net: number; return_net: number };
type Run = {
  id: string;
  trades?: Trade[];
  expected: {
    stats: Record<string, number> & {
      monthly_returns: Record<string, number>;
      yearly_returns: Record<string, number>;
    };
  };
};

const curveOf = (id: string) => path.join(SHARED, `vectors/equity/dev__${id}.csv.gz`);
const FILE = 'engine_backtestingpy_dev.json';

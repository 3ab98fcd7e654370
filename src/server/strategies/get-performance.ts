import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import { listBacktestTrades } from '#records/strategies/strategies.ts';
import { utcDate } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import { isRefused } from '../http/refusal.ts';
import { findShownStrategy } from './find-shown-strategy.ts';
import { resultSeries } from '../answers/result-series.ts';
import { firstPoint, sampledPoints } from './evidence/sample-series.ts';

const RECENT_TRADES = 20;

export const getPerformance: Call<typeof strategiesEndpoints.getStrategyPerformance> = async (
  asked,
  dependencies,
) => {
  const { records } = dependencies;
  const strategy = await findShownStrategy(dependencies, asked);
  if (isRefused(strategy)) return strategy;
  const { backtestId } = strategy;
  const series = (await resultSeries(records.database, [backtestId])).get(backtestId)!;
  const trades = await listBacktestTrades(records.database, backtestId);
  const timeframe = asked.query.timeframe ?? 'week';
  const points = sampledPoints(series.labels, timeframe);
  const from = firstPoint(series.labels, timeframe);
  return {
    labels: points.map((i) => series.labels[i]!),
    data: points.map((i) => series.data[i]!),
    benchmark: points.map((i) => series.benchmark[i] ?? null),
    benchmark_name: strategy.benchmarkName,
    // Uses every day: a coarser series could miss the maximum drawdown.
    drawdown: { labels: series.labels.slice(from), data_drawdown: series.drawdown.slice(from) },
    monthly_returns: series.monthly_returns.map(({ year, months }) => ({ year, months: [...months] })),
    recent_trades: trades.slice(-RECENT_TRADES).toReversed(),
    as_of: strategy.lastDate,
    committed_on: utcDate(strategy.committedAt),
    known_until: strategy.decider?.knowledgeUntil ?? null,
  };
};

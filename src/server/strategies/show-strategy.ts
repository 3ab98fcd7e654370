import type { Claim } from '#contract/strategies/claim.ts';
import type { Strategy } from '#contract/strategies/strategies.ts';
import type { PublishedSeries } from '#engine/evidence/published-record.ts';
import type { CapacityUse } from '#records/strategies/capacity.ts';
import type { StrategyRecord } from '#records/strategies/strategies.ts';
import type { Installation } from '#rules/installation.ts';
import { modelRoleOf } from '#rules/strategies/model-role.ts';
import { fromMicro } from '#units/money.ts';
import { showCapacity } from '../answers/show-capacity.ts';
import { showEvidence } from './evidence/show-evidence.ts';
import { showSamples } from './evidence/show-samples.ts';
import { sparklineImage } from './sparkline-image.ts';
import { spreadPoints } from './evidence/sample-series.ts';
import { thumbnailAddress } from './thumbnail-address.ts';

const SPARKLINE_POINTS = 40;

/** All figures come from the engine, as stored with their hashes. */
export function showStrategy(
  record: StrategyRecord,
  series: PublishedSeries,
  {
    installation,
    use,
    claim,
  }: {
    readonly installation: Installation;
    readonly use: CapacityUse;
    readonly claim: Claim | undefined;
  },
): Strategy {
  const { figures } = record;
  // What a deciding model may know promises nothing, so no card draws it.
  const first = record.samples.known?.periods ?? 0;
  const points = spreadPoints(series.labels.length - first, SPARKLINE_POINTS).map((i) => i + first);
  const chart = {
    labels: points.map((i) => series.labels[i]!),
    data: points.map((i) => series.data[i]!),
  };
  const { return_3y, return_5y, ...backtestResults } = figures;
  return {
    id: record.id,
    name: record.name,
    description: record.description,
    shortDescription: record.shortDescription,
    thumbnail: thumbnailAddress(record) ?? sparklineImage(chart.data),
    strategy_type: record.strategyType as Strategy['strategy_type'],
    asset_class: record.kind,
    risk_level: record.riskLevel,
    risk_score: record.riskScore,
    market: record.market,
    benchmark_name: record.benchmarkName,
    is_walk_forward: record.usesModel,
    model_role: modelRoleOf({
      decides: record.decider !== null,
      scores: record.usesModel,
      wrote: record.isWrittenByModel,
    }),
    is_featured: record.isFeatured,
    status: record.status,
    min_investment: fromMicro(record.minInvestment),
    // Nobody advises on rules that a person wrote.
    fees: installation === 'own' || record.ownerId !== null ? 0 : record.feesPercent,
    returnsYTD: figures.ytd_return,
    returns1Y: figures.return_1y,
    returns3Y: return_3y,
    returns5Y: return_5y,
    volatility: figures.volatility,
    sharpeRatio: figures.sharpe_ratio,
    maxDrawdown: figures.max_drawdown,
    performanceChart: chart,
    backtest_sharpe: figures.sharpe_ratio,
    backtest_max_drawdown: figures.max_drawdown,
    backtest_results: backtestResults,
    samples: showSamples(record.samples),
    position_sizes: record.positionSizes && {
      usual: inPercent(record.positionSizes.usual),
      largest: inPercent(record.positionSizes.largest),
    },
    capacity: showCapacity(record, use),
    as_of: record.lastDate,
    evidence: showEvidence(record),
    claim: claim ?? null,
  };
}

/** Of a fraction, without what halves and thirds leave behind the eighth decimal. */
function inPercent(fraction: number): number {
  return Number((fraction * 100).toFixed(8));
}

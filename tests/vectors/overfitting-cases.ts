// Probabilistic and deflated Sharpe ratios and their like against published worked examples.
import { sharpePerPeriod } from '#engine/performance/sharpe-ratio.ts';
import {
  deflatedSharpe,
  expectedMaximum,
  luckySharpe,
} from '#engine/performance/overfitting/deflated-sharpe.ts';
import { minimumBacktestYears, minimumBacktestYearsBound } from '#tests/vectors/minimum-backtest-length.ts';
import { minimumTrackRecord } from '#engine/performance/overfitting/minimum-track-record.ts';
import { probabilisticSharpe } from '#engine/performance/overfitting/probabilistic-sharpe.ts';
import {
  type SharpeStatistics,
  sharpeStandardError,
  sharpeStatistics,
} from '#engine/performance/overfitting/sharpe-statistics.ts';
import { readVectors } from '../support/shared-data.ts';
import { type Comparison, compareValue, type OracleCase } from './comparison.ts';

export function overfittingCases(): OracleCase[] {
  const vectors = readVectors<Vectors>(FILE);
  if (vectors === null) return [];
  return vectors.cases.map((one) => ({
    file: FILE,
    name: one.id,
    compare: () => compareExample(vectors.series, one),
  }));
}

function compareExample(series: Vectors['series'], one: Case): Comparison[] {
  const { sr0, upper_bound_2lnN: bound } = one.intermediate ?? {};
  const compared = [
    compareValue({
      what: one.function,
      theirs: one.recomputed,
      ours: measureOf(series, one),
      tolerance: Math.min(one.tolerance, 1e-9),
    }),
  ];
  // Nine decimals.
  const tolerance = 5e-10;
  if (sr0 !== undefined) {
    const ours = luckySharpe(trialsOf(one.args));
    compared.push(compareValue({ what: 'lucky Sharpe', theirs: sr0, ours, tolerance }));
  }
  if (bound !== undefined) {
    const target = Number(one.args['target_sharpe_annual']);
    const ours = minimumBacktestYearsBound(Number(one.args['N']), target);
    compared.push(compareValue({ what: 'bound of years', theirs: bound, ours, tolerance }));
  }
  return compared;
}

type Case = {
  id: string;
  function: string;
  args: Record<string, number | string>;
  recomputed: number;
  tolerance: number;
  intermediate?: Record<string, number>;
};
type Vectors = { series: Record<string, number[]>; cases: Case[] };

function statisticsOf(series: Vectors['series'], args: Case['args']): SharpeStatistics {
  if (typeof args['returns'] === 'string') {
    return sharpeStatistics(Float64Array.from(series[args['returns']]!));
  }
  return {
    sharpe: Number(args['sr']),
    periods: Number(args['T']),
    skewness: Number(args['skew']),
    kurtosis: Number(args['kurtosis']),
  };
}

function measureOf(series: Vectors['series'], { function: name, args }: Case): number {
  const benchmark = Number(args['sr_benchmark'] ?? 0);
  if (name.startsWith('min_trl')) {
    const target = { benchmark, probability: Number(args['prob']) };
    const perYear = Number(/_div(\d+)$/.exec(name)?.[1] ?? 1);
    return minimumTrackRecord(statisticsOf(series, args), target) / perYear;
  }
  switch (name) {
    case 'expected_max_z':
      return expectedMaximum(Number(args['N']));
    case 'psr':
      return probabilisticSharpe(statisticsOf(series, args), benchmark);
    case 'sr_std':
      return sharpeStandardError(statisticsOf(series, args));
    case 'dsr':
      return deflatedSharpe(statisticsOf(series, args), trialsOf(args));
    case 'min_btl_years':
      return minimumBacktestYears(Number(args['N']), Number(args['target_sharpe_annual']));
    case 'sharpe_per_period':
      return sharpePerPeriod(Float64Array.from(series[String(args['returns'])]!));
    default:
      throw new Error(`no such statistic here: ${name}`);
  }
}

const trialsOf = (args: Case['args']) => ({
  count: Number(args['N']),
  sharpeVariance: Number(args['trials_sr_variance']),
});

const FILE = 'overfit_psr_dsr.json';

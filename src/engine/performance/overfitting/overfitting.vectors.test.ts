// Against published worked examples. Reads the `shared` folder beside the project and is skipped where it is absent.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharpePerPeriod } from '../sharpe-ratio.ts';
import { deflatedSharpe, expectedMaximum, luckySharpe } from './deflated-sharpe.ts';
import { minimumBacktestYears, minimumBacktestYearsBound } from './minimum-backtest-length.ts';
import { minimumTrackRecord } from './minimum-track-record.ts';
import { probabilisticSharpe } from './probabilistic-sharpe.ts';
import { type SharpeStatistics, sharpeStandardError, sharpeStatistics } from './sharpe-statistics.ts';

const file = resolve(import.meta.dirname, '../../../../../shared/vectors/overfit_psr_dsr.json');
const isThere = existsSync(file);

type Case = {
  id: string;
  function: string;
  args: Record<string, number | string>;
  recomputed: number;
  tolerance: number;
  intermediate?: Record<string, number>;
};
type Vectors = { series: Record<string, number[]>; cases: Case[] };

const vectors = isThere ? (JSON.parse(readFileSync(file, 'utf8')) as Vectors) : { series: {}, cases: [] };

function statisticsOf(args: Case['args']): SharpeStatistics {
  if (typeof args['returns'] === 'string') {
    return sharpeStatistics(Float64Array.from(vectors.series[args['returns']]!));
  }
  return {
    sharpe: Number(args['sr']),
    periods: Number(args['T']),
    skewness: Number(args['skew']),
    kurtosis: Number(args['kurtosis']),
  };
}

function measure({ function: name, args }: Case): number {
  const benchmark = Number(args['sr_benchmark'] ?? 0);
  if (name.startsWith('min_trl')) {
    const wish = { benchmark, probability: Number(args['prob']) };
    const perYear = Number(/_div(\d+)$/.exec(name)?.[1] ?? 1);
    return minimumTrackRecord(statisticsOf(args), wish) / perYear;
  }
  switch (name) {
    case 'expected_max_z':
      return expectedMaximum(Number(args['N']));
    case 'psr':
      return probabilisticSharpe(statisticsOf(args), benchmark);
    case 'sr_std':
      return sharpeStandardError(statisticsOf(args));
    case 'dsr':
      return deflatedSharpe(statisticsOf(args), trialsOf(args));
    case 'min_btl_years':
      return minimumBacktestYears(Number(args['N']), Number(args['target_sharpe_annual']));
    case 'sharpe_per_period':
      return sharpePerPeriod(Float64Array.from(vectors.series[String(args['returns'])]!));
    default:
      throw new Error(`no such statistic here: ${name}`);
  }
}

const trialsOf = (args: Case['args']) => ({
  count: Number(args['N']),
  sharpeVariance: Number(args['trials_sr_variance']),
});

describe.skipIf(!isThere)('overfitting statistics against published examples', () => {
  it.each(vectors.cases.map((one) => [one.id, one] as const))('%s', (_, one) => {
    expect(Math.abs(measure(one) - one.recomputed)).toBeLessThanOrEqual(Math.min(one.tolerance, 1e-9));
    const { sr0, upper_bound_2lnN: bound } = one.intermediate ?? {};
    if (sr0 !== undefined) expect(luckySharpe(trialsOf(one.args))).toBeCloseTo(sr0, 9);
    if (bound !== undefined) {
      const target = Number(one.args['target_sharpe_annual']);
      expect(minimumBacktestYearsBound(Number(one.args['N']), target)).toBeCloseTo(bound, 9);
    }
  });
});

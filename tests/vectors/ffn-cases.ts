// Measures of daily, monthly and yearly returns against ffn.
import type { IsoDate } from '#units/instant.ts';
import { annualVolatility } from '#engine/performance/risk/annual-volatility.ts';
import { maxDrawdown } from '#engine/performance/risk/drawdown.ts';
import { returnSince } from '#engine/performance/period-returns.ts';
import { mean, returnsOf } from '#engine/performance/returns.ts';
import { sharpeRatio } from '#engine/performance/sharpe-ratio.ts';
import { sortinoRatio } from '#engine/performance/sortino-ratio.ts';
import { totalReturn } from '#engine/performance/total-return.ts';
import { readSharedText, readVectors } from '../support/shared-data.ts';
import { compareMeasure } from './compare-measure.ts';
import type { Comparison, OracleCase } from './comparison.ts';
import { sampleMoments } from './sample-moments.ts';

/** The statistics of three stocks, and the values of the library's own tests. */
export function ffnCases(): OracleCase[] {
  const file = readVectors<FfnFile>(FILE);
  if (file === null) return [];
  const stocks = Object.entries(file.library_stats).map(([name, theirs]) => ({
    file: FILE,
    name,
    compare: () => compareStatistics(name, theirs),
  }));
  return [
    ...stocks,
    { file: FILE, name: 'its published tests', compare: () => comparePublished(file.published_tests) },
  ];
}

function compareStatistics(name: string, theirs: Record<string, number>): Comparison[] {
  return Object.entries(statisticsOf(name)).map(([what, ours]) =>
    compareMeasure({ what, theirs: theirs[what]!, ours, tolerance: 1e-9 }),
  );
}

function comparePublished({ max_drawdown_first10 }: Published): Comparison[] {
  const prices = readPrices();
  return ['AAPL', 'MSFT', 'C'].map((name) =>
    compareMeasure({
      what: `drawdown of ${name}`,
      theirs: max_drawdown_first10[name]!,
      ours: maxDrawdown(returnsOf(column(prices, name).subarray(0, 10))),
      tolerance: max_drawdown_first10.tolerance,
    }),
  );
}

function statisticsOf(name: string): Record<string, number> {
  const prices = readPrices();
  const { dates } = prices;
  const values = column(prices, name);
  const daily = returnsOf(values);
  const monthly = returnsOf(lastOf(dates, values, 7));
  const yearly = returnsOf(lastOf(dates, values, 4));
  const dailyMoments = sampleMoments(daily);
  const monthlyMoments = sampleMoments(monthly);
  return {
    total_return: totalReturn(daily),
    max_drawdown: maxDrawdown(daily),
    mtd: returnSince(dates, values, '2014-02-28' as IsoDate),
    ytd: returnSince(dates, values, '2013-12-31' as IsoDate),
    three_month: returnSince(dates, values, '2013-12-10' as IsoDate),
    six_month: returnSince(dates, values, '2013-09-10' as IsoDate),
    one_year: returnSince(dates, values, '2013-03-10' as IsoDate),
    daily_sharpe: sharpeRatio(daily, 252),
    daily_mean: mean(daily) * 252,
    daily_vol: annualVolatility(daily, 252),
    daily_sortino: sortinoRatio(daily, 252),
    daily_skew: dailyMoments.skewness,
    daily_kurt: dailyMoments.kurtosis,
    best_day: Math.max(...daily),
    worst_day: Math.min(...daily),
    monthly_sharpe: sharpeRatio(monthly, 12),
    monthly_mean: mean(monthly) * 12,
    monthly_vol: annualVolatility(monthly, 12),
    monthly_skew: monthlyMoments.skewness,
    monthly_kurt: monthlyMoments.kurtosis,
    best_month: Math.max(...monthly),
    worst_month: Math.min(...monthly),
    yearly_sharpe: sharpeRatio(yearly, 1),
    yearly_mean: mean(yearly),
    yearly_vol: annualVolatility(yearly, 1),
    best_year: Math.max(...yearly),
    worst_year: Math.min(...yearly),
  };
}

type FfnFile = {
  published_tests: {
    max_drawdown_first10: Record<string, number> & { tolerance: number };
  };
  library_stats: Record<string, Record<string, number>>;
};
type Published = FfnFile['published_tests'];
type Prices = { readonly rows: readonly string[][]; readonly dates: readonly IsoDate[] };

function readPrices(): Prices {
  const rows = readSharedText('data/ffn/test_data.csv')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  const dates = rows.slice(1).map(([date]) => {
    const [month, day, year] = date!.split('/');
    return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` as IsoDate;
  });
  return { rows, dates };
}

function column({ rows }: Prices, name: string): Float64Array {
  return Float64Array.from(rows.slice(1), (row) => Number(row[rows[0]!.indexOf(name)]));
}

function lastOf(dates: readonly IsoDate[], values: Float64Array, keyLength: number): Float64Array {
  return values.filter((_, i) => dates[i]!.slice(0, keyLength) !== dates[i + 1]?.slice(0, keyLength));
}

const FILE = 'metrics_ffn.json';

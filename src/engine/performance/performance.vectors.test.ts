// Against the measures that independent libraries give. Reads the `shared` folder beside the project and is skipped
// where it is absent.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Instant, type IsoDate, instantOfDate } from '#units/instant.ts';
import { log } from '../math/log.ts';
import { exp } from '../math/exp.ts';
import { alphaBeta } from './alpha-beta.ts';
import { annualReturn } from './annual-return.ts';
import { annualVolatility } from './annual-volatility.ts';
import { averageHoldingDays } from './average-holding-period.ts';
import { averageTradeReturn } from './average-trade-return.ts';
import { calendarReturns } from './calendar-returns.ts';
import { calmarRatio } from './calmar-ratio.ts';
import { capture } from './capture.ts';
import { compoundAnnualGrowth, yearsBetween } from './compound-annual-growth.ts';
import { downsideRisk } from './downside-risk.ts';
import { maxDrawdown } from './drawdown.ts';
import { sampleMoments } from './moments.ts';
import { omegaRatio } from './omega-ratio.ts';
import { returnSince } from './period-returns.ts';
import { profitFactor } from './profit-factor.ts';
import { mean, returnsOf } from './returns.ts';
import { sharpePerPeriod, sharpeRatio } from './sharpe-ratio.ts';
import { sortinoRatio } from './sortino-ratio.ts';
import { stability } from './stability.ts';
import { tailRatio } from './tail-ratio.ts';
import { cumulativeReturns, totalReturn } from './total-return.ts';
import { winRate } from './win-rate.ts';

const shared = resolve(import.meta.dirname, '../../../../shared');
const isThere = existsSync(resolve(shared, 'vectors/metrics_empyrical.json'));

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(resolve(shared, path), 'utf8')) as T;
}

function expectNear(found: number, wanted: number | null | 'inf', tolerance: number, what: string) {
  if (wanted === null) return expect(found, what).toBeNaN();
  if (wanted === 'inf') return expect(found, what).toBe(Number.POSITIVE_INFINITY);
  expect(Math.abs(found - wanted), what).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(wanted)));
}

type Series = { index?: string[]; values?: (number | null)[]; [column: string]: unknown };
type EmpyricalCase = { metric: string; args: Record<string, string | number>; expected: unknown };
type EmpyricalFile = { tolerance: number; series: Record<string, Series>; cases: EmpyricalCase[] };

const numbers = (values: readonly (number | null)[]) =>
  Float64Array.from(values, (value) => value ?? Number.NaN);
const PERIODS: Record<string, number> = { daily: 252, weekly: 52, monthly: 12, yearly: 1 };

/** The measure of one case, from the words of its arguments. */
function measureOf(file: EmpyricalFile, { metric, args }: EmpyricalCase): number | readonly number[] {
  const named = (name: string) => numbers(file.series[name]!.values!);
  /** '2 * noise', '-mixed_returns', 'negative_returns[1:]' or a plain number. */
  const parse = (text: string): Float64Array | number => {
    if (/^[-\d.]+$/.test(text)) return Number(text);
    if (text.startsWith('-')) return named(text.slice(1)).map((value) => -value);
    if (text.startsWith('2 * ')) return named(text.slice(4)).map((value) => 2 * value);
    // Aligned by date: the day that is cut off is missing.
    if (text.endsWith('[1:]'))
      return named(text.slice(0, -4)).map((value, i) => (i === 0 ? Number.NaN : value));
    return named(text);
  };
  const minus = (values: Float64Array, other: Float64Array | number) =>
    values.map((value, i) => value - (typeof other === 'number' ? other : other[i]!));
  const returns = parse(String(args['returns'])) as Float64Array;
  const other = args['benchmark'] ?? args['factor_returns'];
  const benchmark = () => {
    const found = parse(String(other)) as Float64Array;
    return returns.length === 0 ? found.subarray(0, 0) : found;
  };
  const periods = PERIODS[String(args['period'] ?? 'daily')]!;
  const over = minus(returns, parse(String(args['risk_free'] ?? args['required_return'] ?? 0)));
  switch (metric) {
    case 'aggregate_returns': {
      const span = { weekly: 'week', monthly: 'month', quarterly: 'quarter', yearly: 'year' } as const;
      const dates = file.series[String(args['returns'])]!.index as IsoDate[];
      const kind = span[String(args['convert_to']) as keyof typeof span];
      return calendarReturns(dates, returns, kind).map((one) => one.return);
    }
    case 'alpha':
      return alphaBeta(returns, benchmark(), 252).alpha;
    case 'beta':
      return alphaBeta(returns, benchmark(), 252).beta;
    case 'alpha_beta': {
      const { alpha, beta } = alphaBeta(returns, benchmark(), 252);
      return [alpha, beta];
    }
    case 'annual_return':
    case 'cagr':
      return annualReturn(returns, periods);
    case 'annual_volatility':
      return annualVolatility(returns, periods);
    case 'calmar_ratio':
      return calmarRatio(returns, periods);
    case 'capture':
      return capture(returns, benchmark(), 252, 'all');
    case 'up_capture':
      return capture(returns, benchmark(), 252, 'up');
    case 'down_capture':
      return capture(returns, benchmark(), 252, 'down');
    case 'up_down_capture':
      return capture(returns, benchmark(), 252, 'up') / capture(returns, benchmark(), 252, 'down');
    case 'cum_returns': {
      const start = Number(args['starting_value']);
      return [...cumulativeReturns(returns)].map((value) => (start === 0 ? value : start * (1 + value)));
    }
    case 'cum_returns_final': {
      const start = Number(args['starting_value']);
      return start === 0 ? totalReturn(returns) : start * (1 + totalReturn(returns));
    }
    case 'downside_risk':
      return downsideRisk(over, periods);
    case 'excess_sharpe':
      return sharpePerPeriod(minus(returns, parse(String(other))));
    case 'max_drawdown':
      return maxDrawdown(returns);
    case 'omega_ratio': {
      const required = Number(args['required_return']);
      const perDay = required <= -1 ? Number.NaN : exp(log(1 + required) / 252) - 1;
      return Number.isNaN(perDay)
        ? perDay
        : omegaRatio(minus(returns, parse(String(args['risk_free']))), perDay);
    }
    case 'sharpe_ratio':
      return sharpeRatio(over, 252);
    case 'sortino_ratio':
      return sortinoRatio(over, periods);
    case 'stability_of_timeseries':
      return stability(returns);
    case 'tail_ratio':
      return tailRatio(returns);
    default:
      throw new Error(`no such measure here: ${metric}`);
  }
}

describe.skipIf(!isThere)('measures against empyrical', () => {
  const file = isThere ? readJson<EmpyricalFile>('vectors/metrics_empyrical.json') : null;
  const cases = (file?.cases ?? []).map((one) => [`${one.metric} ${JSON.stringify(one.args)}`, one] as const);

  it.each(cases)('%s', (name, one) => {
    const { expected } = one;
    // Published with four or five decimals.
    const tolerance = one.metric.startsWith('cum_returns') ? 1e-5 : file!.tolerance;
    if (expected !== null && typeof expected === 'object' && 'index' in expected) {
      const table = expected as { index: string[]; values: number[] };
      const source = file!.series[String(one.args['returns'])]!;
      table.index.forEach((column, i) => {
        const series = { column: { values: source[column] as number[] } };
        const found = measureOf({ ...file!, series }, { ...one, args: { ...one.args, returns: 'column' } });
        expectNear(found as number, table.values[i]!, tolerance, `${name} ${column}`);
      });
      return;
    }
    const found = measureOf(file!, one);
    if (!Array.isArray(expected)) return expectNear(found as number, expected as number, tolerance, name);
    expect((found as number[]).length).toBe(expected.length);
    expected.forEach((wanted, i) =>
      expectNear((found as number[])[i]!, wanted, tolerance, `${name} at ${i}`),
    );
  });
});

type FfnFile = {
  published_tests: {
    cagr_full: Record<string, number> & { tolerance: number };
    max_drawdown_first10: Record<string, number> & { tolerance: number };
    year_frac: { start: string; end: string; value: number; tolerance: number };
  };
  library_stats: Record<string, Record<string, number>>;
};

describe.skipIf(!isThere)('measures against ffn', () => {
  const file = isThere ? readJson<FfnFile>('vectors/metrics_ffn.json') : null;
  const rows = isThere
    ? readFileSync(resolve(shared, 'data/ffn/test_data.csv'), 'utf8')
        .trim()
        .split(/\r?\n/)
        .map((line) => line.split(','))
    : [];
  const dates = rows.slice(1).map(([date]) => {
    const [month, day, year] = date!.split('/');
    return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` as IsoDate;
  });
  const column = (name: string) =>
    Float64Array.from(rows.slice(1), (row) => Number(row[rows[0]!.indexOf(name)]));
  const lastOf = (values: Float64Array, keyLength: number) =>
    values.filter((_, i) => dates[i]!.slice(0, keyLength) !== dates[i + 1]?.slice(0, keyLength));
  const growth = (values: Float64Array) =>
    compoundAnnualGrowth(
      { at: instantOfDate(dates[0]!), value: values[0]! },
      { at: instantOfDate(dates.at(-1)!), value: values.at(-1)! },
    );

  it.each(Object.entries(file?.library_stats ?? {}))('%s', (name, theirs) => {
    const values = column(name);
    const daily = returnsOf(values);
    const monthly = returnsOf(lastOf(values, 7));
    const yearly = returnsOf(lastOf(values, 4));
    const dailyMoments = sampleMoments(daily);
    const monthlyMoments = sampleMoments(monthly);
    const ours: Record<string, number> = {
      total_return: totalReturn(daily),
      cagr: growth(values),
      max_drawdown: maxDrawdown(daily),
      calmar: growth(values) / -maxDrawdown(daily),
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
    for (const [measure, found] of Object.entries(ours)) expectNear(found, theirs[measure]!, 1e-9, measure);
  });

  it('agrees with its published tests', () => {
    const { cagr_full, max_drawdown_first10, year_frac } = file!.published_tests;
    for (const name of ['AAPL', 'MSFT', 'C']) {
      expectNear(growth(column(name)), cagr_full[name]!, cagr_full.tolerance, name);
      const firstTen = returnsOf(column(name).subarray(0, 10));
      expectNear(maxDrawdown(firstTen), max_drawdown_first10[name]!, max_drawdown_first10.tolerance, name);
    }
    const years = yearsBetween(instantOfDate(year_frac.start), instantOfDate(year_frac.end));
    expectNear(years, year_frac.value, year_frac.tolerance, 'year fraction');
  });
});

type EngineTrade = { entry_date: string; exit_date: string; pnl_net: number; return_net: number };
type EngineCase = {
  id: string;
  trades?: EngineTrade[];
  expected: {
    stats: Record<string, number> & {
      monthly_returns: Record<string, number>;
      yearly_returns: Record<string, number>;
    };
  };
};

describe.skipIf(!isThere)('measures of ten engine runs', () => {
  const cases = isThere
    ? readJson<{ cases: EngineCase[] }>('vectors/engine_backtestingpy_dev.json').cases
    : [];
  const runs = cases.filter(({ id }) => existsSync(resolve(shared, `vectors/equity/dev__${id}.csv.gz`)));

  it.each(runs.map((run) => [run.id, run] as const))('%s', (id, { expected: { stats }, trades }) => {
    const lines = gunzipSync(readFileSync(resolve(shared, `vectors/equity/dev__${id}.csv.gz`)))
      .toString()
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    if (stats['n_returns'] === undefined) return;
    const dates = lines.map(([date]) => date!.slice(0, 10) as IsoDate);
    const returns = returnsOf(Float64Array.from(lines, ([, equity]) => Number(equity)));
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
      omega_rf0: omegaRatio(returns),
      tail_ratio: tailRatio(returns),
      stability_of_timeseries: stability(returns),
      skew: skewness,
      kurtosis_excess: kurtosis,
    };
    if (stats['annual_return_365'] !== undefined) {
      ours['annual_return_365'] = annualReturn(returns, 365);
      ours['annual_volatility_365'] = annualVolatility(returns, 365);
      ours['sharpe_rf0_365'] = sharpeRatio(returns, 365);
      ours['sortino_mar0_365'] = sortinoRatio(returns, 365);
    }
    // The equity files carry six decimals.
    for (const [measure, found] of Object.entries(ours)) expectNear(found, stats[measure]!, 1e-7, measure);
    for (const [span, wanted] of [
      ['month', stats.monthly_returns],
      ['year', stats.yearly_returns],
    ] as const) {
      const found = calendarReturns(dates.slice(1), returns, span);
      for (const one of found) expectNear(one.return, wanted[one.span]!, 1e-7, one.span);
    }
    const closed = (trades ?? []).map((trade) => ({
      enteredAt: Date.parse(trade.entry_date) as Instant,
      exitedAt: Date.parse(trade.exit_date) as Instant,
      pnl: trade.pnl_net,
      return: trade.return_net,
    }));
    if (closed.length === 0) return;
    expectNear(winRate(closed), stats['win_rate']!, 1e-9, 'win rate');
    expectNear(averageTradeReturn(closed), stats['avg_trade_return']!, 1e-7, 'average trade');
    expectNear(profitFactor(closed), stats['profit_factor_pnl']!, 1e-7, 'profit factor');
    expectNear(averageHoldingDays(closed), stats['avg_holding_calendar_days']!, 1e-6, 'holding period');
  });
});

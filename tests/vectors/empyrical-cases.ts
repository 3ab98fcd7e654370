// Measures against empyrical's own tests.
import type { IsoDate } from '#units/instant.ts';
import { alphaBeta } from '#engine/performance/alpha-beta.ts';
import { annualReturn } from '#engine/performance/annual-return.ts';
import { annualVolatility } from '#engine/performance/risk/annual-volatility.ts';
import { calendarReturns } from '#engine/performance/calendar-returns.ts';
import { calmarRatio } from '#engine/performance/calmar-ratio.ts';
import { downsideRisk } from '#engine/performance/risk/downside-risk.ts';
import { maxDrawdown } from '#engine/performance/risk/drawdown.ts';
import { sharpePerPeriod, sharpeRatio } from '#engine/performance/sharpe-ratio.ts';
import { sortinoRatio } from '#engine/performance/sortino-ratio.ts';
import { totalReturn } from '#engine/performance/total-return.ts';
import { readVectors } from '../support/shared-data.ts';
import { compareMeasure } from './compare-measure.ts';
import { type Comparison, compareValue, type OracleCase } from './comparison.ts';

/** One case for each call that the library's own tests make of a measure that is shown anywhere here. */
export function empyricalCases(): OracleCase[] {
  const file = readVectors<EmpyricalFile>(FILE);
  if (file === null) return [];
  const shown = file.cases.filter(({ metric }) => !NOT_SHOWN.includes(metric));
  return shown.map((one) => ({
    file: FILE,
    name: `${one.metric} ${JSON.stringify(one.args)}`,
    compare: () => compareCase(file, one),
  }));
}

function compareCase(file: EmpyricalFile, one: EmpyricalCase): Comparison[] {
  const { expected } = one;
  // Published with four or five decimals.
  const tolerance = one.metric.startsWith('cum_returns') ? 1e-5 : file.tolerance;
  if (expected !== null && typeof expected === 'object' && 'index' in expected) {
    const table = expected as { index: string[]; values: number[] };
    const source = file.series[String(one.args['returns'])]!;
    return table.index.map((column, i) => {
      const series = { column: { values: source[column] as number[] } };
      const found = measureOf({ ...file, series }, { ...one, args: { ...one.args, returns: 'column' } });
      return compareMeasure({ what: column, theirs: table.values[i]!, ours: found as number, tolerance });
    });
  }
  const found = measureOf(file, one);
  if (!Array.isArray(expected)) {
    const theirs = expected as number;
    return [compareMeasure({ what: one.metric, theirs, ours: found as number, tolerance })];
  }
  const values = found as readonly number[];
  return [
    compareValue({ what: 'values', theirs: expected.length, ours: values.length, tolerance: 0 }),
    ...expected.map((theirs, i) =>
      compareMeasure({ what: `value ${i}`, theirs, ours: values[i]!, tolerance }),
    ),
  ];
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
    case 'sharpe_ratio':
      return sharpeRatio(over, 252);
    case 'sortino_ratio':
      return sortinoRatio(over, periods);
    default:
      throw new Error(`no such measure here: ${metric}`);
  }
}

const FILE = 'metrics_empyrical.json';
const NOT_SHOWN = [
  'capture',
  'up_capture',
  'down_capture',
  'up_down_capture',
  'omega_ratio',
  'stability_of_timeseries',
  'tail_ratio',
];

/** The total return up to and including each period. */
function cumulativeReturns(returns: Float64Array): Float64Array {
  let wealth = 1;
  return returns.map((value) => {
    wealth *= Number.isNaN(value) ? 1 : 1 + value;
    return wealth - 1;
  });
}

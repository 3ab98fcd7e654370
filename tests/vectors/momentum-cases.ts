// Cross-sectional momentum of an independent engine on real series, traded by the product's own backtest: step, budget
// and average cost included.
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import { backtest } from '#engine/backtest/backtest.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { flatCosts } from '#engine/market/costs.ts';
import { compileDefinition } from '#engine/strategy/compile-definition.ts';
import { equityInstrument, instrumentMap } from '../support/engine/random-market.ts';
import { definitionOf } from '../support/engine/sample-definitions.ts';
import { readSharedText, readVectors } from '../support/shared-data.ts';
import { type Comparison, compareValue, type OracleCase } from './comparison.ts';

export function momentumCases(): OracleCase[] {
  return momentumPortfolios().map((one) => ({
    file: FILE,
    name: one.id,
    compare: () => comparePortfolio(one, runPortfolio(one)),
  }));
}

export function momentumPortfolios(): readonly Portfolio[] {
  return readVectors<{ cases: Portfolio[] }>(FILE)?.cases ?? [];
}

export function comparePortfolio(one: Portfolio, run: PortfolioRun): Comparison[] {
  const { final_value, rebalances } = one.expected;
  const wanted = publishedSelections(one);
  const days = new Set([...Object.keys(wanted), ...Object.keys(run.selections)]);
  const others = [...days].filter((day) => `${wanted[day]}` !== `${run.selections[day]}`).length;
  return [
    compareValue({ what: 'days with another selection', theirs: 0, ours: others, tolerance: 0 }),
    compareValue({
      what: 'rebalances',
      theirs: rebalances,
      ours: Object.keys(run.selections).length,
      tolerance: 0,
    }),
    compareValue({
      what: 'final value',
      theirs: final_value,
      ours: run.finalEquity / 1e6,
      tolerance: 1e-6 * final_value,
    }),
  ];
}

export function publishedSelections(one: Portfolio): Selections {
  const sorted = Object.entries(one.selections).map(([date, symbols]) => [date, [...symbols].sort()]);
  return Object.fromEntries(sorted) as Selections;
}

export function runPortfolio(one: Portfolio): PortfolioRun {
  const series = one.id.startsWith('sp5_') ? fiveYears() : twentyStocks();
  const universe = [...series.keys()].sort();
  const { params } = one;
  const definition = definitionOf({
    universe,
    schedule: { every: 'month' },
    features: {
      momentum: { indicator: 'month_return', months: params.lookback_months, skip: params.lag_months },
    },
    rule: { type: 'ranking', by: 'momentum', top: params.top_n, bottom: 0 },
  });
  const from = Date.parse(`${one.expected.first_rebalance}T00:00Z`) as Instant;
  const { table } = compileDefinition(definition, series);
  const selections: { [date: string]: string[] } = {};
  for (let k = 0; k < table.count; k++) {
    const at = table.timeline[table.rows[k]!]!;
    if (at < from || table.rows[k] === table.timeline.length - 1) continue;
    selections[utcDate(at as Instant)] = universe.filter(
      (_, s) => table.weights[k * universe.length + s]! > 0,
    );
  }
  const { finalEquity } = backtest({
    definition,
    series,
    instruments: instrumentMap(...universe.map(fractional)),
    settings: {
      initialCash: toMicro(params.initial_capital),
      costs: flatCosts({ commissionRate: 0, slippageRate: 0 }),
      limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
      collar: 0,
      noTradeBand: 0,
      fill: 'same_close',
      from,
    },
  });
  return { selections, finalEquity };
}

type Selections = { readonly [date: string]: readonly string[] };
type PortfolioRun = { readonly selections: Selections; readonly finalEquity: number };
type Portfolio = {
  readonly id: string;
  readonly params: {
    readonly top_n: number;
    readonly lookback_months: number;
    readonly lag_months: number;
    readonly initial_capital: number;
  };
  readonly expected: {
    readonly final_value: number;
    readonly first_rebalance: string;
    readonly rebalances: number;
  };
  readonly selections: { readonly [date: string]: readonly string[] };
};

function fractional(symbol: string) {
  return { ...equityInstrument(symbol), quantityStep: 1 as Quantity, priceDecimals: 8 };
}

/** The 470 stocks that have all 1,259 days. */
function fiveYears(): Map<Symbol, BarSeries> {
  const bySymbol = new Map<string, { dates: string[]; closes: number[] }>();
  const lines = readSharedText('data/sp500-5yr/sp500_ohlcv_2013_2018.csv.gz').trim().split(/\r?\n/).slice(1);
  for (const line of lines) {
    const [symbol = '', date = '', , , , close = ''] = line.split(',');
    const one = bySymbol.get(symbol) ?? { dates: [], closes: [] };
    one.dates.push(date);
    one.closes.push(Number(close));
    bySymbol.set(symbol, one);
  }
  const whole = [...bySymbol].filter(([, { dates }]) => dates.length === 1_259);
  return new Map(
    whole.map(([symbol, { dates, closes }]) => [symbol as Symbol, closesOnly(symbol, dates, closes)]),
  );
}

/** Twenty stocks, rows from 2000-01-01 to 2022-12-28. */
function twentyStocks(): Map<Symbol, BarSeries> {
  const [header = '', ...lines] = readSharedText('data/skfolio/sp500_dataset.csv.gz').trim().split(/\r?\n/);
  const rows = lines.map((line) => line.split(',')).filter(([date = '']) => date >= '2000-01-01');
  const dates = rows.map(([date = '']) => date);
  const symbols = header.split(',').slice(1);
  return new Map(
    symbols.map((symbol, k) => {
      const closes = rows.map((cells) => Number(cells[k + 1]));
      return [symbol as Symbol, closesOnly(symbol, dates, closes)];
    }),
  );
}

function closesOnly(symbol: string, dates: readonly string[], closes: readonly number[]): BarSeries {
  const close = Float64Array.from(closes);
  const closedAt = Float64Array.from(dates, (date) => Date.parse(`${date}T21:00Z`));
  const columns = { open: close, high: close, low: close, close, volume: new Float64Array(close.length) };
  return { symbol: symbol as Symbol, interval: '1d', length: close.length, closedAt, ...columns };
}

const FILE = 'momentum_universe_dev.json';

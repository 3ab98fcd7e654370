// The three workloads as the product runs them: `backtest()` with definitions of the strategy language. They are
// measured sized by weight; in units and fractions, as other engines trade, they are compared with the result that five
// of those agree on.
import { backtest } from '#engine/backtest/backtest.ts';
import type { BacktestResult } from '#engine/backtest/result.ts';
import type { BacktestInput, BacktestSettings } from '#engine/backtest/settings.ts';
import { type ParameterSet, VariantRunner } from '#engine/backtest/variants.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import { flatCosts } from '#engine/market/costs.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { deepestFall } from '#engine/performance/risk/drawdown.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';
import { PAIRS, UNIVERSE } from './engine-workloads.ts';
import type { CrossoverTerms } from './loops/crossover-book.ts';

/** All that a run gives, drawdown included, with the lists of fills and trades that publishing a result also needs. */
export type Outcome = Pick<BacktestResult, 'equity' | 'cash' | 'exposure' | 'fills' | 'trades'> & {
  readonly deepest: number;
};

export type Sums = {
  readonly fills: number;
  readonly trades: number;
  readonly finalEquity: number;
  readonly maxDrawdown: number;
};

/** What five engines agree on: 100 units (crossover, sweep) or fractions (ranking). */
export const EXPECTED = {
  crossover: { fills: 55_121, trades: 27_560, finalEquity: 99_707_219.541506, maxDrawdown: 0.002927886 },
  ranking: { fills: 7_824, trades: 2_124, finalEquity: 2_375_171.936628, maxDrawdown: 0.027717028 },
  sweep: { fills: 52_694, trades: 26_268, finalEquity: 1_011_405_198.134368, maxDrawdown: 0.012940786 },
} as const satisfies Record<string, Sums>;

/** Money is rounded to whole micro-dollars at each fill, so equity may be off by half of one for each. */
export function check(name: string, sums: Sums, expected: Sums): void {
  const { fills, trades, finalEquity, maxDrawdown } = sums;
  const right =
    fills === expected.fills &&
    trades === expected.trades &&
    Math.abs(finalEquity - expected.finalEquity) < 1e-5 + expected.fills * 1e-6 &&
    Math.abs(maxDrawdown - expected.maxDrawdown) < 1e-9;
  if (!right) throw new Error(`${name}: got ${JSON.stringify(sums)}`);
}

/** Sized by weight: a share of equity, whole units. `units`: as other engines trade. */
export type Sizing = 'weight' | 'units';

/** With dividends and a stop loss, or without. */
export type Extras = 'plain' | 'dividends and stop';

const CROSSOVER = definitionOf({
  language: 'bellwether-strategy/1',
  name: 'Crossover',
  universe: ['ONE'],
  benchmark: 'ONE',
  features: { fast: { indicator: 'sma', length: 10 }, slow: { indicator: 'sma', length: 20 } },
  rule: {
    type: 'signals',
    enterLong: { op: 'crosses_above', left: 'fast', right: 'slow' },
    exitLong: { op: 'crosses_below', left: 'fast', right: 'slow' },
  },
  gross: 0.01,
});

const RANKING = definitionOf({
  language: 'bellwether-strategy/1',
  name: 'Ranking',
  universe: UNIVERSE.map(({ symbol }) => symbol),
  benchmark: 'S000',
  schedule: { every: 'bars', count: 21 },
  features: { momentum: { indicator: 'roc', length: 126 } },
  rule: { type: 'ranking', by: 'momentum', top: 50, bottom: 0 },
  gross: 0.95,
});

/** The interval in bars between dividends, the amount of each, and the loss at which a position is sold. */
const DIVIDEND_EVERY = 7;
const DIVIDEND = 0.05;
const STOPS = { crossover: 0.15, ranking: 8, sweep: 3 } as const;
const CASH = { crossover: 1e8, ranking: 1e6, sweep: 1e6 } as const;

export function crossoverInput(bars: BarSeries, sizing: Sizing, extras: Extras = 'plain'): BacktestInput {
  return {
    definition: CROSSOVER,
    series: new Map([[bars.symbol, extras === 'plain' ? bars : paying(bars)]]),
    instruments: new Map([[bars.symbol, instrumentOf(bars.symbol, toQuantity(1))]]),
    settings: settingsOf('crossover', sizing, extras),
  };
}

export function rankingInput(all: readonly BarSeries[], extras: Extras = 'plain'): BacktestInput {
  const series = all.map((bars) => (extras === 'plain' ? bars : paying(bars)));
  return {
    definition: RANKING,
    instruments: new Map(all.map(({ symbol }) => [symbol, instrumentOf(symbol, 1 as Quantity)])),
    series: new Map(series.map((bars) => [bars.symbol, bars])),
    settings: settingsOf('ranking', 'weight', extras),
  };
}

export function run(input: BacktestInput): Outcome {
  return outcomeOf(backtest(input));
}

export function outcomeOf({ equity, cash, exposure, fills, trades }: BacktestResult): Outcome {
  return { equity, cash, exposure, fills, trades, deepest: deepestFall(equity) };
}

export const PAIR_SETS: readonly ParameterSet[] = PAIRS.map(({ fast, slow }) => ({
  'features.fast.length': fast,
  'features.slow.length': slow,
}));

/** The template that the pairs are variants of. */
export function pairInput(bars: BarSeries, sizing: Sizing, extras: Extras = 'plain'): BacktestInput {
  return {
    definition: CROSSOVER,
    series: new Map([[bars.symbol, extras === 'plain' ? bars : paying(bars)]]),
    instruments: new Map([[bars.symbol, instrumentOf(bars.symbol, toQuantity(1))]]),
    settings: settingsOf('sweep', sizing, extras),
  };
}

/** Every pair as the product's own sweep runs it, from its numbers to its lists. */
export function sweep(input: BacktestInput): readonly Outcome[] {
  const runner = new VariantRunner(input.definition, input);
  return PAIR_SETS.map((set) => {
    const done = runner.run(set);
    if (!done.ok) throw new Error(JSON.stringify(done.errors));
    return outcomeOf(done.result);
  });
}

/** Of one run, or the worst drawdown of several. */
export function sumUp(outcomes: readonly Outcome[]): Sums {
  const sum = (of: (one: Outcome) => number) => outcomes.reduce((total, one) => total + of(one), 0);
  return {
    fills: sum(({ fills }) => fills.length),
    trades: sum(({ trades }) => trades.length),
    finalEquity: sum(({ equity }) => equity.at(-1)!) / 1e6,
    maxDrawdown: Math.max(...outcomes.map(({ deepest }) => deepest)),
  };
}

/** The same terms for a hand-written loop. */
export function loopTerms(workload: keyof typeof CASH, bars: BarSeries, extras: Extras): CrossoverTerms {
  const { collar, costs, initialCash, limits } = settingsOf(workload, 'weight', extras);
  return {
    initialCash,
    gross: workload === 'ranking' ? RANKING.gross : CROSSOVER.gross,
    commissionRate: costs.equity.commissionRate,
    collar,
    stopLossPercentage: limits.stopLossPercentage,
    dividendRows: extras === 'plain' ? [] : dividendRows(bars),
    dividend: DIVIDEND,
  };
}

function settingsOf(workload: keyof typeof CASH, sizing: Sizing, extras: Extras): BacktestSettings {
  const stopLossPercentage = extras === 'plain' ? 0 : STOPS[workload];
  return {
    initialCash: toMicro(CASH[workload]),
    costs: flatCosts({ commissionRate: 0.001, slippageRate: 0 }),
    limits: { stopLossPercentage, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
    collar: 0.05,
    noTradeBand: 0,
    ...(sizing === 'units' ? { units: toQuantity(100) } : {}),
  };
}

/** The last bars of the days before one that pays. */
function dividendRows({ closedAt, length }: BarSeries): number[] {
  const rows: number[] = [];
  for (let row = 0; row + 1 < length; row++) {
    const [day, next] = [dayOf(closedAt[row]!), dayOf(closedAt[row + 1]!)];
    if (next !== day && next % DIVIDEND_EVERY === 0) rows.push(row);
  }
  return rows;
}

function paying(bars: BarSeries): BarSeries {
  const known = PAYING.get(bars);
  if (known !== undefined) return known;
  const actions = dividendRows(bars).map((row): CorporateAction => {
    const exDate = utcDate((bars.closedAt[row + 1]! - 1) as Instant);
    return { kind: 'dividend', exDate, amount: DIVIDEND };
  });
  const series = { ...bars, actions };
  PAYING.set(bars, series);
  return series;
}

const PAYING = new WeakMap<BarSeries, BarSeries>();
const dayOf = (closedAt: number) => Math.floor((closedAt - 1) / 86_400_000);

/** A market that is open every day, so that each of its days has a next one. */
function instrumentOf(symbol: Symbol, quantityStep: Quantity): Instrument {
  return {
    symbol,
    kind: 'equity',
    name: symbol,
    currency: 'USD',
    unitCurrency: null,
    multiplier: 1,
    quantityStep,
    priceDecimals: 6,
    calendar: 'crypto',
    settlement: 'cash',
    expiry: null,
  };
}

function definitionOf(value: object): StrategyDefinition {
  const parsed = parseDefinition(value);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.definition;
}

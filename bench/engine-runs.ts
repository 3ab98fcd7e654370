// The three workloads as the product runs them: definitions of the strategy language, costs, equity and drawdown.
import { backtest } from '#engine/backtest/backtest.ts';
import type { BacktestResult } from '#engine/backtest/result.ts';
import type { BacktestSettings } from '#engine/backtest/settings.ts';
import { type ParameterSet, VariantRunner } from '#engine/backtest/variants.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import { flatCosts } from '#engine/market/costs.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { deepestFall } from '#engine/performance/drawdown.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { parseDefinition } from '#engine/strategy/parse-definition.ts';
import type { Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';
import { PAIRS, UNIVERSE } from './engine-workloads.ts';

export type Outcome = {
  readonly fills: number;
  readonly trades: number;
  readonly finalEquity: number;
  readonly maxDrawdown: number;
};

/** What five engines agree on, to which every run here is held. */
export const EXPECTED = {
  crossover: { fills: 55_121, trades: 27_560, finalEquity: 99_707_219.541506, maxDrawdown: 0.002927886 },
  ranking: { fills: 7_824, trades: 2_124, finalEquity: 2_375_171.936628, maxDrawdown: 0.027717028 },
  sweep: { fills: 52_694, trades: 26_268, finalEquity: 1_011_405_198.134368, maxDrawdown: 0.012940786 },
} as const satisfies Record<string, Outcome>;

/** Money is rounded to whole micro-dollars at each fill, so equity may be off by half of one for each. */
export function check(name: string, outcome: Outcome, expected: Outcome): void {
  const { fills, trades, finalEquity, maxDrawdown } = outcome;
  const right =
    fills === expected.fills &&
    trades === expected.trades &&
    Math.abs(finalEquity - expected.finalEquity) < 1e-5 + expected.fills * 1e-6 &&
    Math.abs(maxDrawdown - expected.maxDrawdown) < 1e-9;
  if (!right) throw new Error(`${name}: got ${JSON.stringify({ fills, trades, finalEquity, maxDrawdown })}`);
}

const CROSSOVER_RULE = {
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
};

const CROSSOVER = definitionOf(CROSSOVER_RULE);

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

export function crossover(bars: BarSeries): Outcome {
  const result = backtest({
    definition: CROSSOVER,
    series: new Map([[bars.symbol, bars]]),
    instruments: new Map([[bars.symbol, instrumentOf(bars.symbol, toQuantity(1))]]),
    settings: hundredUnits(1e8),
  });
  return outcomeOf(result);
}

export function ranking(all: readonly BarSeries[]): Outcome {
  const instruments = new Map(all.map(({ symbol }) => [symbol, instrumentOf(symbol, 1 as Quantity)]));
  const result = backtest({
    definition: RANKING,
    instruments,
    series: new Map(all.map((bars) => [bars.symbol, bars])),
    settings: settingsOf(1e6),
  });
  return outcomeOf(result);
}

function outcomeOf({ counts, equity, finalEquity }: BacktestResult): Outcome {
  return { ...counts, finalEquity: finalEquity / 1e6, maxDrawdown: deepestFall(equity) };
}

export const PAIR_SETS: readonly ParameterSet[] = PAIRS.map(({ fast, slow }) => ({
  'features.fast.length': fast,
  'features.slow.length': slow,
}));

/** The template and what it is traded with: all that a worker needs besides bars. */
export const PAIR_SWEEP = {
  template: CROSSOVER_RULE,
  instruments: [instrumentOf('ONE' as Symbol, toQuantity(1))],
  settings: hundredUnits(1e6),
};

export function sweep(bars: BarSeries): Outcome {
  const { template, instruments, settings } = PAIR_SWEEP;
  const runner = new VariantRunner(template, {
    instruments: new Map(instruments.map((one) => [one.symbol, one])),
    series: new Map([[bars.symbol, bars]]),
    settings,
  });
  const outcomes = PAIR_SETS.map((set) => {
    const run = runner.run(set);
    if (!run.ok) throw new Error(JSON.stringify(run.errors));
    return outcomeOf(run.result);
  });
  return sumUp({
    fills: outcomes.map(({ fills }) => fills),
    trades: outcomes.map(({ trades }) => trades),
    finalEquity: outcomes.map(({ finalEquity }) => finalEquity * 1e6),
    maxDrawdown: outcomes.map(({ maxDrawdown }) => maxDrawdown),
  });
}

type Columns = { readonly [Name in keyof Outcome]: ArrayLike<number> };

/** Of all pairs; the worst of their drawdowns. */
export function sumUp({ fills, trades, finalEquity, maxDrawdown }: Columns): Outcome {
  const sum = (column: ArrayLike<number>) => Array.from(column).reduce((total, one) => total + one, 0);
  return {
    fills: sum(fills),
    trades: sum(trades),
    finalEquity: sum(finalEquity) / 1e6,
    maxDrawdown: Math.max(...Array.from(maxDrawdown)),
  };
}

function hundredUnits(cash: number): BacktestSettings {
  return { ...settingsOf(cash), units: toQuantity(100) };
}

function settingsOf(cash: number): BacktestSettings {
  return {
    initialCash: toMicro(cash),
    costs: flatCosts({ commissionRate: 0.001, slippageRate: 0 }),
    limits: { stopLossPercent: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
    collar: 0.05,
    noTradeBand: 0,
  };
}

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
    calendar: 'us-equity',
    settlement: 'cash',
    expiry: null,
  };
}

function definitionOf(value: object): StrategyDefinition {
  const parsed = parseDefinition(value);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.definition;
}

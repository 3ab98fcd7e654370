// Whole runs of an independent engine on real series: its trades, equity curve and measures.
import type { Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { backtest } from '#engine/backtest/backtest.ts';
import type { BacktestResult } from '#engine/backtest/result.ts';
import type { BacktestInput } from '#engine/backtest/settings.ts';
import { flatCosts } from '#engine/market/costs.ts';
import { annualReturn } from '#engine/performance/annual-return.ts';
import { annualVolatility } from '#engine/performance/risk/annual-volatility.ts';
import { maxDrawdown } from '#engine/performance/risk/drawdown.ts';
import { returnsOf } from '#engine/performance/returns.ts';
import { sharpeRatio } from '#engine/performance/sharpe-ratio.ts';
import { sortinoRatio } from '#engine/performance/sortino-ratio.ts';
import { equityInstrument, instrumentMap } from '../support/engine/random-market.ts';
import { definitionOf } from '../support/engine/sample-definitions.ts';
import { readSharedSeries, readSharedText, readVectors, type SharedSeries } from '../support/shared-data.ts';
import { type Comparison, compareValue, type OracleCase } from './comparison.ts';

export function engineRunCases(): OracleCase[] {
  return engineRuns().map((run) => ({
    file: FILE,
    name: run.id,
    compare() {
      const bars = readSharedSeries(run.data);
      return compareRun(run, bars, backtest(inputOf(run, bars)));
    },
  }));
}

export function engineRuns(): readonly EngineRun[] {
  return readVectors<{ cases: EngineRun[] }>(FILE)?.cases ?? [];
}

export function compareRun(run: EngineRun, bars: SharedSeries, result: BacktestResult): Comparison[] {
  const curve = readSharedText(`vectors/equity/dev__${run.id}.csv.gz`).trim().split('\n').slice(1);
  const found = tradePlaces(result, bars);
  const wanted = publishedPlaces(run);
  const others = wanted.filter((place, i) => JSON.stringify(place) !== JSON.stringify(found[i])).length;
  return [
    compareValue({ what: 'trades', theirs: wanted.length, ours: found.length, tolerance: 0 }),
    compareValue({ what: 'trades at other bars or of other size', theirs: 0, ours: others, tolerance: 0 }),
    ...compareTrades(run, result),
    near('final equity', { theirs: run.expected.final_equity, ours: result.finalEquity / 1e6 }, 1e-6),
    compareValue({
      what: 'points of equity',
      theirs: curve.length,
      ours: result.equity.length,
      tolerance: 0,
    }),
    ...curve.map((line, i) =>
      near(`equity at ${i}`, { theirs: Number(line.split(',')[1]), ours: result.equity[i]! / 1e6 }, 1e-6),
    ),
    ...compareMeasures(run, result),
  ];
}

/** Where and how large each of our trades is. */
export function tradePlaces({ trades, timeline }: BacktestResult, bars: SharedSeries): TradePlace[] {
  return trades.map(({ entryAt, exitAt, side, quantity }) => {
    const [entry_bar, exit_bar] = [timeline.indexOf(entryAt), timeline.indexOf(exitAt)];
    return {
      entry_bar,
      exit_bar,
      entry_date: bars.dates[entry_bar]!,
      exit_date: bars.dates[exit_bar]!,
      units: (side === 'long' ? quantity : -quantity) / 1e8,
    };
  });
}

export function publishedPlaces(run: EngineRun): TradePlace[] {
  return run.trades.map(({ entry_bar, exit_bar, entry_date, exit_date, units }) => {
    return { entry_bar, exit_bar, entry_date, exit_date, units };
  });
}

/** One fill enters and one leaves, so that trade i is of fills 2i and 2i + 1. */
function compareTrades(run: EngineRun, { trades, fills }: BacktestResult): Comparison[] {
  return trades.flatMap((trade, i) => {
    const expected = run.trades[i];
    if (expected === undefined) return [];
    const commission = (fills[2 * i]!.commission + fills[2 * i + 1]!.commission) / 1e6;
    return [
      near(`entry price ${i}`, { theirs: expected.entry_price, ours: trade.entryPrice }, 1e-6),
      near(`exit price ${i}`, { theirs: expected.exit_price, ours: trade.exitPrice }, 1e-6),
      near(`commission ${i}`, { theirs: expected.commission, ours: commission }, 1e-6),
      near(`profit of trade ${i}`, { theirs: expected.pnl_net, ours: trade.pnl / 1e6 }, 1e-6),
    ];
  });
}

/** A run on hourly bars has no measures of daily returns. */
function compareMeasures(run: EngineRun, result: BacktestResult): Comparison[] {
  if (run.expected.stats['n_returns'] === undefined) return [];
  const returns = returnsOf(result.equity);
  const ours = {
    annual_return_252: annualReturn(returns, 252),
    annual_volatility_252_ddof1: annualVolatility(returns, 252),
    sharpe_rf0_252: sharpeRatio(returns, 252),
    sortino_mar0_252: sortinoRatio(returns, 252),
    max_drawdown: maxDrawdown(returns),
  };
  return Object.entries(ours).map(([what, found]) =>
    near(what, { theirs: run.expected.stats[what]!, ours: found }, 1e-9),
  );
}

function near(what: string, value: { theirs: number; ours: number }, relative: number): Comparison {
  // Money in the vectors is printed to six decimals, measures to twelve.
  const printed = relative < 1e-8 ? 1e-11 : 1e-6;
  return compareValue({ what, ...value, tolerance: Math.max(relative * Math.abs(value.theirs), printed) });
}

type TradePlace = Pick<RunTrade, 'entry_bar' | 'exit_bar' | 'entry_date' | 'exit_date' | 'units'>;

export type EngineRun = {
  readonly id: string;
  readonly data: string;
  readonly case: {
    readonly strategy: 'sma_cross' | 'rsi_reversion' | 'donchian' | 'buy_hold';
    readonly params: { readonly [name: string]: number };
    readonly mode: 'long' | 'reverse';
    readonly cash: number;
    readonly commission?: number;
    readonly spread?: number;
    readonly size?: number;
    readonly fill?: 'next_open' | 'same_close';
    readonly sl_pct?: number;
    readonly tp_pct?: number;
  };
  readonly expected: { readonly final_equity: number; readonly stats: { readonly [name: string]: number } };
  readonly trades: readonly RunTrade[];
};

type RunTrade = {
  readonly entry_date: string;
  readonly exit_date: string;
  readonly entry_bar: number;
  readonly exit_bar: number;
  readonly units: number;
  readonly entry_price: number;
  readonly exit_price: number;
  readonly commission: number;
  readonly pnl_net: number;
  readonly return_net: number;
};

export function inputOf({ case: { params, ...one } }: EngineRun, bars: SharedSeries): BacktestInput {
  const symbol = 'AAA' as Symbol;
  const { features, up, down } = signalsOf(one.strategy, params);
  const reverse = one.mode === 'reverse';
  const definition = definitionOf({
    universe: [symbol],
    direction: reverse ? 'long_short' : 'long',
    features,
    rule: { type: 'signals', enterLong: up, ...(reverse ? { enterShort: down } : { exitLong: down }) },
    exits: {
      ...(one.sl_pct === undefined ? {} : { stopPercent: one.sl_pct * 100 }),
      ...(one.tp_pct === undefined ? {} : { targetPercent: one.tp_pct * 100 }),
    },
  });
  const spread = one.spread ?? 0;
  return {
    definition,
    series: new Map([[symbol, bars.series]]),
    instruments: instrumentMap(equityInstrument(symbol)),
    settings: {
      initialCash: toMicro(one.cash),
      costs: flatCosts({ commissionRate: one.commission ?? 0, slippageRate: spread }),
      limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
      collar: 0,
      noTradeBand: 0,
      fill: one.fill ?? 'next_open',
      orders: 'market',
      ...(one.size === undefined ? {} : { units: toQuantity(one.size) }),
    },
  };
}

function signalsOf(strategy: EngineRun['case']['strategy'], params: EngineRun['case']['params']) {
  switch (strategy) {
    case 'sma_cross':
      return {
        features: {
          fast: { indicator: 'sma', length: params['fast'] },
          slow: { indicator: 'sma', length: params['slow'] },
        },
        up: { op: 'crosses_above', left: 'fast', right: 'slow' },
        down: { op: 'crosses_below', left: 'fast', right: 'slow' },
      };
    case 'rsi_reversion':
      return {
        features: { rsi: { indicator: 'rsi', length: params['n'] } },
        up: { op: 'below', left: 'rsi', right: params['buy_below'] },
        down: { op: 'above', left: 'rsi', right: params['exit_above'] },
      };
    case 'donchian':
      return {
        features: {
          upper: { indicator: 'donchian', length: params['entry'], output: 'upper' },
          lower: { indicator: 'donchian', length: params['exit'], output: 'lower' },
        },
        up: { op: 'above', left: 'close', right: 'upper' },
        down: { op: 'below', left: 'close', right: 'lower' },
      };
    case 'buy_hold':
      return {
        features: {},
        up: { op: 'above', left: 'close', right: 0 },
        down: { op: 'below', left: 'close', right: 0 },
      };
  }
}

const FILE = 'engine_backtestingpy_dev.json';

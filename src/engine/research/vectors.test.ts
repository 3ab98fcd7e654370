// Independent engines' results on real series, from the `shared` folder beside the project; skipped where it is absent.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { returnsOf } from '../performance/returns.ts';
import { annualReturn } from '../performance/annual-return.ts';
import { annualVolatility } from '../performance/annual-volatility.ts';
import { maxDrawdown } from '../performance/drawdown.ts';
import { sharpeRatio } from '../performance/sharpe-ratio.ts';
import { sortinoRatio } from '../performance/sortino-ratio.ts';
import { equityInstrument } from '../testing/random-market.ts';
import { definitionOf } from '../testing/sample-definitions.ts';
import {
  readSharedSeries,
  readSharedText,
  SHARED,
  type SharedSeries,
} from '../../../tests/support/shared-data.ts';
import type { Execution, ResearchInput } from './execution.ts';
import { runByColumns } from './run-by-columns.ts';
import { runByEvents } from './run-by-events.ts';

type Case = {
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
  readonly trades: readonly VectorTrade[];
};

type VectorTrade = {
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

const FILE = path.join(SHARED, 'vectors/engine_backtestingpy_dev.json');
const CASES: readonly Case[] = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')).cases : [];

describe.skipIf(CASES.length === 0)("an independent engine's runs", () => {
  it.each(CASES.map((one) => [one.id, one] as const))('%s', (id, one) => {
    const bars = readSharedSeries(one.data);
    const result = runByColumns(inputOf(one, bars));
    expect(result).toEqual(runByEvents(inputOf(one, bars)));
    const trades = result.trades.list().map((trade) => ({
      entry_bar: trade.entryBar,
      exit_bar: trade.exitBar,
      entry_date: bars.dates[trade.entryBar]!,
      exit_date: bars.dates[trade.exitBar]!,
      units: trade.quantity / 1e8,
    }));
    expect(trades).toEqual(
      one.trades.map(({ entry_bar, exit_bar, entry_date, exit_date, units }) => {
        return { entry_bar, exit_bar, entry_date, exit_date, units };
      }),
    );
    result.trades.list().forEach((trade, i) => {
      const expected = one.trades[i]!;
      near(trade.entryPrice, expected.entry_price, 1e-6);
      near(trade.exitPrice, expected.exit_price, 1e-6);
      near(trade.commission / 1e6, expected.commission, 1e-6);
      near(trade.pnl / 1e6, expected.pnl_net, 1e-6);
    });
    near(result.finalEquity / 1e6, one.expected.final_equity, 1e-6);
    const curve = readSharedText(`vectors/equity/dev__${id}.csv.gz`).trim().split('\n').slice(1);
    expect(curve.length).toBe(result.equity.length);
    curve.forEach((line, i) => near(result.equity[i]! / 1e6, Number(line.split(',')[1]), 1e-6));
    const returns = returnsOf(result.equity);
    const { stats } = one.expected;
    near(annualReturn(returns, 252), stats['annual_return_252']!, 1e-9);
    near(annualVolatility(returns, 252), stats['annual_volatility_252_ddof1']!, 1e-9);
    near(sharpeRatio(returns, 252), stats['sharpe_rf0_252']!, 1e-9);
    near(sortinoRatio(returns, 252), stats['sortino_mar0_252']!, 1e-9);
    near(maxDrawdown(returns), stats['max_drawdown']!, 1e-9);
  });
});

function inputOf({ case: { params, ...one } }: Case, bars: SharedSeries): ResearchInput {
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
  const execution: Execution = {
    initialCash: toMicro(one.cash),
    commissionRate: one.commission ?? 0,
    spreadRate: one.spread ?? 0,
    fill: one.fill ?? 'next_open',
    size: one.size === undefined ? { type: 'all_cash' } : { type: 'fixed', quantity: toQuantity(one.size) },
    repeatedSignal: reverse ? 'reopens' : 'ignored',
  };
  return {
    definition,
    series: new Map([[symbol, bars.series]]),
    instrument: equityInstrument(symbol),
    execution,
  };
}

function signalsOf(strategy: Case['case']['strategy'], params: Case['case']['params']) {
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

function near(actual: number, expected: number, relative: number): void {
  const off = Math.abs(actual - expected);
  // Money in the vectors is printed to six decimals, measures to twelve.
  const printed = relative < 1e-8 ? 1e-11 : 1e-6;
  if (off > relative * Math.abs(expected) && off > printed) expect(actual).toBe(expected);
}

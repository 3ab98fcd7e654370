import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { backtest } from './backtest.ts';
import type { BacktestInput } from './settings.ts';
import { compileDefinition } from '../strategy/compile-definition.ts';
import { evaluate } from '../strategy/evaluate.ts';
import { definitionHash } from '../strategy/definition-hash.ts';
import {
  equityInstrument,
  instrumentMap,
  randomSeries,
  seriesMap,
} from '#tests/support/engine/random-market.ts';
import { flatCosts } from '../market/costs.ts';
import { SAMPLE_DEFINITIONS, SAMPLE_SYMBOLS } from '#tests/support/engine/sample-definitions.ts';

const OFF = { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 };

function inputOf(name: string, seed: number, change: Partial<BacktestInput['settings']> = {}): BacktestInput {
  return {
    definition: SAMPLE_DEFINITIONS[name]!,
    instruments: instrumentMap(...SAMPLE_SYMBOLS.map(equityInstrument)),
    series: seriesMap(
      ...SAMPLE_SYMBOLS.map((symbol, i) =>
        randomSeries({ symbol, seed: seed * 10 + i, bars: 260, gapEvery: i === 3 ? 7 : 0 }),
      ),
    ),
    settings: {
      initialCash: toMicro(100_000),
      costs: flatCosts({ commissionRate: 0.001, slippageRate: 0.0005 }),
      limits: OFF,
      collar: 0.03,
      noTradeBand: 0.01,
      ...change,
    },
  };
}

const NAMES = Object.keys(SAMPLE_DEFINITIONS);

describe('a backtest', () => {
  it.each(NAMES)('sees at every bar the target that evaluate gives for that bar: %s', (name) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), (seed) => {
        const { definition, series } = inputOf(name, seed);
        const { table } = compileDefinition(definition, series);
        const width = table.symbols.length;
        let line = -1;
        for (let t = 0; t < table.timeline.length; t++) {
          const isNew = line + 1 < table.count && table.rows[line + 1] === t;
          if (isNew) line++;
          const target = evaluate(definition, series, instant(table.timeline[t]!));
          const weights = table.symbols
            .map((symbol, s) => ({ symbol, weight: line < 0 ? 0 : table.weights[line * width + s]! }))
            .filter(({ weight }) => weight !== 0);
          expect({ rebalance: target.rebalance, weights: target.weights }).toEqual({
            rebalance: isNew,
            weights,
          });
        }
      }),
      { numRuns: 5 },
    );
  });

  it.each(NAMES)('trades at all, and keeps equity = first cash + realised + unrealised: %s', (name) => {
    const input = inputOf(name, 3);
    const result = backtest(input);
    expect(result.fills.length).toBeGreaterThan(4);
    let cash: number = input.settings.initialCash;
    const held = new Map<string, number>();
    for (const { symbol, side, quantity, price, commission } of result.fills) {
      const signed = side === 'buy' ? quantity : -quantity;
      cash -= Math.round((signed * price) / 100) + commission;
      held.set(symbol, (held.get(symbol) ?? 0) + signed);
    }
    let worth = 0;
    for (const [symbol, quantity] of held) {
      const { close, length } = input.series.get(symbol as never)!;
      worth += Math.round((quantity * close[length - 1]!) / 100);
    }
    expect(result.finalEquity).toBe(cash + worth);
  });

  it('never has negative cash while it may only buy', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('trend', 'reversion', 'breakout'),
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 0.02, noNaN: true }),
        (name, seed, noTradeBand) => {
          const result = backtest(inputOf(name, seed, { noTradeBand }));
          expect(Math.min(...result.cash)).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never adds exposure beyond its equity at the reference price', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('longShort', 'momentum', 'pairs'),
        fc.integer({ min: 1, max: 10_000 }),
        (name, seed) => {
          const result = backtest(inputOf(name, seed));
          result.exposure.forEach((exposure, t) => expect(exposure).toBeLessThan(result.equity[t]! * 1.25));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('gives the same bits twice', () => {
    expect(backtest(inputOf('trend', 9))).toEqual(backtest(inputOf('trend', 9)));
    expect(definitionHash(SAMPLE_DEFINITIONS['trend']!)).toBe(definitionHash(SAMPLE_DEFINITIONS['trend']!));
  });

  it('counts in its closed trades exactly what the fills realised', () => {
    const result = backtest(inputOf('longShort', 5));
    expect(result.trades.length).toBeGreaterThan(5);
    for (const { side, entryPrice, exitPrice, quantity, pnl, entryAt, exitAt } of result.trades) {
      const gross = ((side === 'long' ? exitPrice - entryPrice : entryPrice - exitPrice) * quantity) / 100;
      const commission = ((exitPrice + entryPrice) * quantity * 0.001) / 100;
      expect(Math.abs(pnl - (gross - commission))).toBeLessThan(20);
      expect(exitAt).toBeGreaterThan(entryAt);
    }
  });

  it('freezes when drawdown passes the limit, and adds nothing from then on', () => {
    const limits = { ...OFF, freezeOnDrawdownPercent: 2 };
    const result = backtest(inputOf('trend', 4, { limits }));
    const frozen = result.notices.find(({ notice }) => notice.type === 'frozen');
    expect(frozen).toBeDefined();
    const later = result.fills.filter(({ at, side }) => at > frozen!.at + 86_400_000 && side === 'buy');
    expect(later).toEqual([]);
  });

  it('sells a position by its stop loss and waits until the strategy lets it go', () => {
    const limits = { ...OFF, stopLossPercentage: 3 };
    const result = backtest(inputOf('trend', 4, { limits }));
    const stops = result.notices.filter(({ notice }) => notice.type === 'stop_loss');
    expect(stops.length).toBeGreaterThan(0);
    for (const { at, notice } of stops) {
      if (notice.type !== 'stop_loss') continue;
      const next = result.fills.find((fill) => fill.symbol === notice.symbol && fill.at > at);
      expect(next?.side).toBe('sell');
    }
  });
});

import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { add, type Micro, notional, toMicro } from '#units/money.ts';
import { backtest } from './backtest.ts';
import type { BacktestResult } from './result.ts';
import { type BarSeries, barSeries } from '../market/bar-series.ts';
import { session } from '../market/calendar.ts';
import { tradingDays } from '../../../tests/support/trading-days.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import { TRADING_COSTS } from '../market/costs.ts';
import type { Bar } from '../market/instrument.ts';
import { parseOption } from '../market/option-contract.ts';
import { definitionOf } from '#tests/support/engine/sample-definitions.ts';
import { equityInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';

const SHARE = equityInstrument('BWMKT');
const START = toMicro(100_000);

/** A wild year and a half with a dividend every month or so, drawn from a seed. */
function wildSeries(seed: number): BarSeries {
  let state = seed;
  const draw = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const dates = tradingDays('us-equity', { from: '2024-01-02' as IsoDate, to: '2025-06-30' as IsoDate });
  const actions: CorporateAction[] = [];
  let close = 100;
  const bars = dates.map((date, i): Bar => {
    const { opensAt, closesAt } = session('us-equity', date)!;
    const dividend = i > 0 && i % 23 === 0 ? 0.6 : 0;
    if (dividend > 0) actions.push({ kind: 'dividend', exDate: date, amount: dividend });
    const cents = (price: number) => Math.round(price * 100) / 100;
    const open = cents((close - dividend) * (1 + (draw() - 0.5) * 0.02));
    close = cents(open * (1 + (draw() - 0.495) * 0.05));
    const [high, low] = [Math.max(open, close), Math.min(open, close)];
    return { openedAt: opensAt, closedAt: closesAt, date, open, high, low, close, volume: 1 };
  });
  return { ...barSeries(SHARE.symbol, '1d', bars), actions };
}

function run(structure: string, direction: string, seed: number, settlement = 'shares'): BacktestResult {
  return backtest({
    definition: definitionOf({
      universe: ['BWMKT'],
      benchmark: 'BWMKT',
      direction,
      features: { trend: { indicator: 'sma', length: 15 } },
      rule: {
        type: 'signals',
        enterLong: { op: 'above', left: 'close', right: 'trend' },
        exitLong: { op: 'below', left: 'close', right: 'trend' },
      },
      gross: 0.9,
      options: { structure, underlyings: ['BWMKT'], strikePercent: 101, settlement },
    }),
    instruments: instrumentMap(SHARE),
    series: new Map([[SHARE.symbol, wildSeries(seed)]]),
    settings: {
      initialCash: START,
      costs: TRADING_COSTS,
      limits: { stopLossPercentage: 12, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
      collar: 0.03,
      noTradeBand: 0.005,
    },
  });
}

/** Units held of each symbol after each close, as the fills say. */
function heldAfter({ timeline, fills }: BacktestResult): ReadonlyMap<Symbol, number>[] {
  const held = new Map<Symbol, number>();
  let next = 0;
  return Array.from(timeline, (at) => {
    for (; next < fills.length && fills[next]!.at <= at; next++) {
      const { symbol, side, quantity } = fills[next]!;
      held.set(symbol, (held.get(symbol) ?? 0) + (side === 'buy' ? quantity : -quantity) / 1e8);
    }
    return new Map(held);
  });
}

const SEEDS = [3, 17, 92, 2024, 777_777];
const STRUCTURES = [
  ['covered_call', 'long_short'],
  ['protective_put', 'long'],
  ['cash_secured_put', 'long_short'],
] as const;

describe.each(STRUCTURES)('a backtest of a %s', (structure, direction) => {
  const results = SEEDS.map((seed) => run(structure, direction, seed));

  it('delivers shares, and never ends short of shares or in debt', () => {
    const delivered = results.flatMap(({ fills }) =>
      fills.filter(({ symbol, commission }) => symbol === SHARE.symbol && commission === 0),
    );
    expect(delivered.length).toBeGreaterThan(5);
    for (const result of results) {
      expect(Math.min(...result.cash)).toBeGreaterThanOrEqual(0);
      for (const held of heldAfter(result)) expect(held.get(SHARE.symbol) ?? 0).toBeGreaterThanOrEqual(0);
    }
  });

  it('has shares behind written calls, or is buying those back: never for more than a few days', () => {
    for (const result of results) {
      let naked = 0;
      heldAfter(result).forEach((held) => {
        const calls = [...held].filter(([symbol]) => parseOption(symbol)?.right === 'call');
        const written = calls.reduce((sum, [, contracts]) => sum - Math.min(0, contracts), 0);
        naked = written * 100 > (held.get(SHARE.symbol) ?? 0) ? naked + 1 : 0;
        expect(naked).toBeLessThanOrEqual(3);
      });
    }
  });

  it('has the strike in cash behind written puts', () => {
    for (const result of results) {
      heldAfter(result).forEach((held, row) => {
        for (const [symbol, contracts] of held) {
          const option = parseOption(symbol);
          if (option?.right !== 'put' || contracts >= 0) continue;
          expect(-contracts * 100 * option.strike).toBeLessThanOrEqual(result.cash[row]! / 1e6);
        }
      });
    }
  });

  it('has in cash, at every close, what its executions and dividends moved', () => {
    for (const [i, result] of results.entries()) {
      const { actions = [], closedAt, length } = wildSeries(SEEDS[i]!);
      const dates = Array.from({ length }, (_, k) => new Date(closedAt[k]!).toISOString().slice(0, 10));
      const held = heldAfter(result);
      let cash: Micro = START;
      let next = 0;
      result.timeline.forEach((at, row) => {
        for (; next < result.fills.length && result.fills[next]!.at <= at; next++) {
          const { symbol, side, quantity, price, commission } = result.fills[next]!;
          const worth = notional(quantity, price, parseOption(symbol) === null ? 1 : 100);
          cash = add(cash, (side === 'buy' ? -worth : worth) as Micro, -commission as Micro);
        }
        const tomorrow = dates[closedAt.indexOf(at) + 1];
        const paid = actions.find(({ exDate }) => exDate === tomorrow)?.amount ?? 0;
        cash = add(cash, toMicro(paid * (held[row]!.get(SHARE.symbol) ?? 0)));
        expect(Math.abs(result.cash[row]! - cash)).toBeLessThanOrEqual(20);
      });
    }
  });

  it('is the same on every run', () => {
    const again = run(structure, direction, SEEDS[0]!);
    expect(again.fills).toEqual(results[0]!.fills);
    expect(again.equity).toEqual(results[0]!.equity);
    expect(again.trades).toEqual(results[0]!.trades);
  });

  it('settles in cash where its options do: no share moves without an order', () => {
    const { fills } = run(structure, direction, SEEDS[1]!, 'cash');
    const free = fills.filter(({ commission }) => commission === 0);
    expect(free.length).toBeGreaterThan(3);
    for (const { symbol } of free) expect(parseOption(symbol)).toMatchObject({ style: 'european' });
  });
});

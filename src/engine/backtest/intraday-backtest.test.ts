import { describe, expect, it } from 'vitest';
import { equityInstrument, instrumentMap, seriesMap } from '#tests/support/engine/random-market.ts';
import { type Instant, instant, type IsoDate, MINUTE_MS } from '#units/instant.ts';
import type { Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { barSeries, type BarSeries } from '../market/bar-series.ts';
import { session } from '../market/calendar.ts';
import { flatCosts } from '../market/costs.ts';
import { intradaySeries } from '../market/intraday-series.ts';
import { compileDefinition } from '../strategy/compile-definition.ts';
import { evaluate } from '../strategy/evaluate.ts';
import { parseDefinition } from '../strategy/parsing/parse-definition.ts';
import { backtest } from './backtest.ts';
import { atDayEnds } from './day-ends.ts';

const DAYS = ['2024-06-28', '2024-07-01', '2024-07-02', '2024-07-03', '2024-07-05'] as IsoDate[];
const SYMBOLS = ['AAA', 'BBB'] as Symbol[];

/** Minutes whose price rises and falls by turns, so that averages cross within a day and over nights. */
function minutes(symbol: Symbol, phase: number): BarSeries {
  const bars = DAYS.flatMap((date) => {
    const { opensAt, closesAt } = session('us-equity', date)!;
    return Array.from({ length: (closesAt - opensAt) / MINUTE_MS }, (_, minute) => {
      const openedAt = (opensAt + minute * MINUTE_MS) as Instant;
      const price = 100 + Math.abs(((openedAt / MINUTE_MS + phase) % 170) - 85) / 20;
      const closedAt = (openedAt + MINUTE_MS) as Instant;
      return {
        openedAt,
        closedAt,
        date,
        open: price,
        high: price + 0.1,
        low: price - 0.1,
        close: price,
        volume: 1,
      };
    });
  });
  return barSeries(symbol, '1m', bars);
}

function definitionOf(change: Record<string, unknown>) {
  const parsed = parseDefinition({
    language: 'bellwether-strategy/1',
    name: 'Intraday',
    universe: SYMBOLS,
    benchmark: 'AAA',
    interval: '5m',
    features: { mean: { indicator: 'sma', length: 12 } },
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 'mean' },
      exitLong: { op: 'below', left: 'close', right: 'mean' },
    },
    ...change,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.definition;
}

function inputOf(change: Record<string, unknown> = {}) {
  const definition = definitionOf(change);
  const series = seriesMap(
    ...SYMBOLS.map((symbol, i) =>
      intradaySeries(minutes(symbol, i * 40), { interval: definition.interval!, calendar: 'us-equity' }),
    ),
  );
  return {
    definition,
    series,
    instruments: instrumentMap(...SYMBOLS.map(equityInstrument)),
    settings: {
      initialCash: toMicro(100_000),
      costs: flatCosts({ commissionRate: 0, slippageRate: 0 }),
      limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
      collar: 0.05,
      noTradeBand: 0,
    },
  };
}

describe('a backtest of bars shorter than a day', () => {
  it('decides at the close of a bar and fills at the open of the next one', () => {
    const input = inputOf();
    const { table } = compileDefinition(input.definition, input.series);
    const { fills } = backtest(input);
    expect(fills.length).toBeGreaterThan(20);
    const decided = new Set(
      Array.from(table.rows.subarray(0, table.count), (row) => table.timeline[row + 1]),
    );
    for (const { at, symbol, price } of fills) {
      const bars = input.series.get(symbol)!;
      const bar = bars.closedAt.indexOf(at);
      expect(decided.has(at)).toBe(true);
      expect(price).toBeCloseTo(bars.open[bar]!, 1);
    }
  });

  it.each([
    ['bar', {}],
    ['day', { schedule: { every: 'day' } }],
    ['bars', { schedule: { every: 'bars', count: 7 } }],
    ['month', { schedule: { every: 'month' } }],
  ])('sees at every close what evaluate gives for it, looked at every %s', (_, change) => {
    const { definition, series } = inputOf({ interval: '30m', ...change });
    const { table } = compileDefinition(definition, series);
    const changes = new Set(table.rows.subarray(0, table.count));
    for (let row = 0; row < table.timeline.length; row++) {
      const target = evaluate(definition, series, instant(table.timeline[row]!));
      expect(target.rebalance, `row ${row}`).toBe(changes.has(row));
    }
  });

  it('looks at a daily rule once a day, at the first close of the day', () => {
    const { definition, series } = inputOf({ schedule: { every: 'day' } });
    const { table } = compileDefinition(definition, series);
    const rows = Array.from(table.rows.subarray(0, table.count));
    expect(rows.length).toBeGreaterThan(1);
    const opens = DAYS.map((date) => session('us-equity', date)!.opensAt + 5 * MINUTE_MS);
    for (const row of rows) expect(opens).toContain(table.timeline[row]);
  });

  it('measures figures by days', () => {
    const input = inputOf();
    const result = backtest(input);
    const daily = atDayEnds(input.definition, result);
    expect(Array.from(daily.timeline)).toEqual(DAYS.map((date) => session('us-equity', date)!.closesAt));
    expect(daily.equity.at(-1)).toBe(result.equity.at(-1));
    expect(daily.trades).toEqual(result.trades);
  });

  it('annualises volatility by the bars of a day', () => {
    const weighting = { type: 'volatility_target', length: 20, annualPercent: 10, over: 'universe' };
    const { definition, series } = inputOf({ weighting });
    const { table } = compileDefinition(definition, series);
    const asDays = new Map([...series].map(([symbol, bars]) => [symbol, { ...bars, barsPerDay: 1 }]));
    const wrong = compileDefinition(definition, asDays).table;
    const [own, other] = [table, wrong].map(({ weights }) => weights.reduce((sum, one) => sum + one, 0));
    expect(own).toBeGreaterThan(0);
    expect(own).toBeLessThan(other! / 2);
  });

  it('refuses bars of another length', () => {
    const { definition, series } = inputOf();
    const days = new Map([...series].map(([symbol, bars]) => [symbol, { ...bars, interval: '1d' as const }]));
    expect(() => compileDefinition(definition, days)).toThrow('reads bars of 5m, those of AAA are of 1d');
  });

  it('refuses contracts, which roll and settle by days', () => {
    const input = inputOf();
    const future = { ...equityInstrument('BBB'), kind: 'futures' as const };
    const instruments = instrumentMap(equityInstrument('AAA'), future);
    expect(() => backtest({ ...input, instruments })).toThrow(/contracts/);
  });
});

import { describe, expect, it } from 'vitest';
import { isTradingDay, session } from '#engine/market/calendar.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, parseInstant } from '#units/instant.ts';
import { BENCHMARK, SHARES } from './catalogue-shares.ts';
import { POINTS_PER_DAY } from './price-models/day-path.ts';
import { DEFAULT_SEED, simulatedMarket } from './simulated-market.ts';
import {
  correlation,
  deviation,
  excessKurtosis,
  logReturns,
  mean,
  worstDrawdown,
} from '#tests/support/market-statistics.ts';

const asOf = parseInstant('2026-01-05T00:00:00Z');
const all = { from: '2013-01-01' as IsoDate, to: '2026-01-05' as IsoDate, asOf };
const market = simulatedMarket(DEFAULT_SEED);
const symbol = (text: string) => text as Symbol;
const bars = (name: string, source = market) => source.dailyBars(symbol(name), all);
const returns = (name: string, source = market) => logReturns(bars(name, source));

describe('the simulated world', () => {
  it('lists shares with a benchmark, six pairs and six coins', () => {
    const kinds = market.instruments.map((instrument) => instrument.kind);
    expect(kinds.filter((kind) => kind === 'equity').length).toBeGreaterThanOrEqual(30);
    expect(kinds.filter((kind) => kind === 'forex')).toHaveLength(6);
    expect(kinds.filter((kind) => kind === 'crypto')).toHaveLength(6);
    expect(new Set(market.instruments.map((instrument) => instrument.symbol)).size).toBe(kinds.length);
  });

  it('is the same for the same seed in any order of queries, and differs for another seed', () => {
    const again = simulatedMarket(DEFAULT_SEED);
    again.quote(symbol('BTCUSD'), parseInstant('2019-06-01T12:00:00Z'));
    expect(bars('NVSM', again)).toEqual(bars('NVSM'));
    expect(bars('EURUSD', again)).toEqual(bars('EURUSD'));
    expect(bars('NVSM', simulatedMarket(DEFAULT_SEED + 1))).not.toEqual(bars('NVSM'));
  });

  it('has one bar for every session of more than twelve years, none for other days', () => {
    for (const instrument of market.instruments) {
      const found = bars(instrument.symbol);
      expect(found.every((bar) => isTradingDay(instrument.calendar, bar.date))).toBe(true);
      expect(found[0]!.date <= '2013-01-02').toBe(true);
      expect(found.length).toBeGreaterThanOrEqual(instrument.calendar === 'crypto' ? 4_748 : 3_260);
    }
  });

  it('brackets open and close by high and low, above zero, in whole ticks', () => {
    for (const instrument of market.instruments) {
      for (const bar of bars(instrument.symbol)) {
        const fits =
          bar.low > 0 &&
          bar.low <= Math.min(bar.open, bar.close) &&
          bar.high >= Math.max(bar.open, bar.close);
        if (!fits) throw new Error(`${instrument.symbol} ${JSON.stringify(bar)}`);
        expect(Number(bar.close.toFixed(instrument.priceDecimals))).toBe(bar.close);
      }
    }
  });

  it('returns no bar before its close', () => {
    const before = market.dailyBars(symbol(BENCHMARK), {
      ...all,
      asOf: parseInstant('2025-12-31T20:59:59Z'),
    });
    expect(before.at(-1)!.date).toBe('2025-12-30');
    const after = market.dailyBars(symbol(BENCHMARK), { ...all, asOf: parseInstant('2025-12-31T21:00:00Z') });
    expect(after.at(-1)!.date).toBe('2025-12-31');
  });
});

describe('the live day', () => {
  it.each(['NVSM', 'EURUSD', 'USDJPY', 'BTCUSD', 'XRPUSD'])(
    'quotes %s along a path that closes into its bar',
    (name) => {
      const instrument = market.instruments.find((other) => other.symbol === name)!;
      const day = session(instrument.calendar, '2026-01-06' as IsoDate)!;
      const span = day.closesAt - day.opensAt;
      const path = Array.from({ length: POINTS_PER_DAY }, (_, part) => {
        const at = Math.ceil(day.opensAt + (part * span) / POINTS_PER_DAY) as Instant;
        return market.quote(symbol(name), at)!;
      });
      const prices = path.map((quote) => quote.last);
      const later = { from: day.date, to: day.date, asOf: day.closesAt };
      const bar = market.dailyBars(symbol(name), later)[0]!;
      expect({
        open: prices[0],
        close: prices.at(-1),
        high: Math.max(...prices),
        low: Math.min(...prices),
      }).toEqual({
        open: bar.open,
        close: bar.close,
        high: bar.high,
        low: bar.low,
      });
      expect(path.every((quote) => quote.open && quote.bid < quote.last && quote.last < quote.ask)).toBe(
        true,
      );
      expect(new Set(prices).size).toBeGreaterThan(20);
    },
  );

  it('keeps the last price outside the session, marked not open', () => {
    const close = bars(BENCHMARK).at(-1)!.close;
    const quote = market.quote(symbol(BENCHMARK), parseInstant('2026-01-04T12:00:00Z'))!;
    expect({ last: quote.last, open: quote.open }).toEqual({ last: close, open: false });
    expect(market.quote(symbol(BENCHMARK), parseInstant('2012-06-01T12:00:00Z'))).toBeNull();
    expect(market.quote(symbol('NONE'), asOf)).toBeNull();
  });

  it('lets shares gap at the open', () => {
    const gaps = bars('QLBR').map((bar, i, list) =>
      i === 0 ? 0 : Math.abs(bar.open / list[i - 1]!.close - 1),
    );
    expect(gaps.filter((gap) => gap > 0.002).length / gaps.length).toBeGreaterThan(0.4);
  });
});

describe('the statistics of the simulated market', () => {
  const benchmark = returns(BENCHMARK);

  it('let the benchmark earn some 7% a year at some 16% volatility, through a real bear market', () => {
    const growth = Math.exp(mean(benchmark) * 252) - 1;
    expect(growth).toBeGreaterThan(0.04);
    expect(growth).toBeLessThan(0.1);
    expect(deviation(benchmark) * Math.sqrt(252)).toBeGreaterThan(0.14);
    expect(deviation(benchmark) * Math.sqrt(252)).toBeLessThan(0.19);
    expect(worstDrawdown(bars(BENCHMARK))).toBeLessThan(-0.25);
  });

  it('keep other seeds plausible too', () => {
    const growths = [101, 102, 103].map((seed) => mean(returns(BENCHMARK, simulatedMarket(seed))) * 252);
    expect(Math.min(...growths)).toBeGreaterThan(-0.03);
    expect(Math.max(...growths)).toBeLessThan(0.16);
    expect(mean(growths)).toBeGreaterThan(0.03);
  });

  it('cluster volatility while returns themselves hardly repeat', () => {
    const sizes = benchmark.map(Math.abs);
    expect(correlation(sizes.slice(5), sizes.slice(0, -5))).toBeGreaterThan(0.12);
    expect(Math.abs(correlation(benchmark.slice(1), benchmark.slice(0, -1)))).toBeLessThan(0.08);
  });

  it('have fat tails', () => {
    expect(excessKurtosis(benchmark)).toBeGreaterThan(2);
    expect(excessKurtosis(returns('BTCUSD'))).toBeGreaterThan(1);
  });

  it('move shares together, sectors closer, and bonds hardly', () => {
    expect(correlation(benchmark, returns('QLBR'))).toBeGreaterThan(0.4);
    expect(correlation(returns('QLBR'), returns('ARDN'))).toBeGreaterThan(
      correlation(returns('QLBR'), returns('LKSD')),
    );
    expect(Math.abs(correlation(benchmark, returns('BWBND')))).toBeLessThan(0.35);
    expect(correlation(returns('AUDUSD'), returns('NZDUSD'))).toBeGreaterThan(0.6);
    expect(correlation(returns('EURUSD'), returns('USDCHF'))).toBeLessThan(-0.4);
    expect(correlation(returns('BTCUSD'), returns('ETHUSD'))).toBeGreaterThan(0.6);
  });

  const sisters = SHARES.flatMap((traits) =>
    traits.follows === undefined ? [] : [[traits.symbol, traits.follows]],
  );
  it.each(sisters)('keep %s and %s within a gap that closes within weeks', (left, right) => {
    const other = bars(right!);
    const gap = bars(left!).map((bar, i) => Math.log(bar.close / other[i]!.close));
    const centre = mean(gap);
    expect(deviation(gap)).toBeLessThan(0.03);
    expect(deviation(gap)).toBeGreaterThan(0.01);
    expect(Math.max(...gap.map((value) => Math.abs(value - centre)))).toBeLessThan(0.12);
    expect(Math.abs(correlation(gap.slice(60), gap.slice(0, -60)))).toBeLessThan(0.2);
  });

  it('make at least two such pairs', () => {
    expect(sisters.length).toBeGreaterThanOrEqual(2);
  });

  it('keep currencies within plausible bounds', () => {
    const within = (name: string, low: number, high: number) =>
      bars(name).every((bar: Bar) => bar.low > low && bar.high < high);
    expect(within('EURUSD', 0.8, 1.8)).toBe(true);
    expect(within('USDJPY', 70, 200)).toBe(true);
  });
});

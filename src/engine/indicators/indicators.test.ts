import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adx } from './adx.ts';
import { atr } from './atr.ts';
import { bollinger } from './bollinger.ts';
import { donchian } from './donchian.ts';
import { drawdown } from './drawdown.ts';
import { ema } from './averages/ema.ts';
import { highest, lowest } from './highest-lowest.ts';
import { macd } from './averages/macd.ts';
import { roc } from './roc.ts';
import { rollingCorrelation } from './rolling-correlation.ts';
import { rollingDeviation } from './rolling-deviation.ts';
import { rsi } from './rsi.ts';
import { sma } from './averages/sma.ts';
import { stochastic } from './stochastic.ts';
import { volatility } from './volatility.ts';
import { wma } from './averages/wma.ts';
import { zScore } from './z-score.ts';

const column = (...values: number[]) => Float64Array.from(values);
const price = fc.double({ min: 1, max: 1000, noNaN: true });
const prices = fc.array(price, { minLength: 1, maxLength: 80 }).map((values) => Float64Array.from(values));
const windows = fc.integer({ min: 2, max: 12 });

/** The indicator computed from each whole window on its own. */
function perWindow(values: Float64Array, window: number, of: (part: number[]) => number): number[] {
  return Array.from(values, (_, i) =>
    i < window - 1 ? Number.NaN : of([...values.subarray(i - window + 1, i + 1)]),
  );
}

function expectClose(found: Float64Array, wanted: readonly number[], tolerance = 1e-9) {
  expect(found.length).toBe(wanted.length);
  wanted.forEach((value, i) => {
    if (Number.isNaN(value)) expect(found[i], `bar ${i}`).toBeNaN();
    else
      expect(Math.abs(found[i]! - value), `bar ${i}`).toBeLessThanOrEqual(
        tolerance * Math.max(1, Math.abs(value)),
      );
  });
}

const meanOf = (part: readonly number[]) => part.reduce((a, b) => a + b, 0) / part.length;
const squaresOf = (part: readonly number[]) => part.reduce((sum, x) => sum + (x - meanOf(part)) ** 2, 0);

describe('moving windows equal the same figure computed from each window alone', () => {
  it('mean', () => {
    fc.assert(fc.property(prices, windows, (v, n) => expectClose(sma(v, n), perWindow(v, n, meanOf))));
  });

  it('weighted mean', () => {
    const weighted = (part: number[]) =>
      part.reduce((sum, x, i) => sum + x * (i + 1), 0) / ((part.length * (part.length + 1)) / 2);
    fc.assert(fc.property(prices, windows, (v, n) => expectClose(wma(v, n), perWindow(v, n, weighted))));
  });

  it('highest and lowest', () => {
    fc.assert(
      fc.property(prices, windows, (v, n) => {
        expectClose(
          highest(v, n),
          perWindow(v, n, (part) => Math.max(...part)),
          0,
        );
        expectClose(
          lowest(v, n),
          perWindow(v, n, (part) => Math.min(...part)),
          0,
        );
      }),
    );
  });

  it('standard deviation, of a sample and of a population', () => {
    fc.assert(
      fc.property(prices, windows, (v, n) => {
        const sample = (part: number[]) => Math.sqrt(squaresOf(part) / (part.length - 1));
        const population = (part: number[]) => Math.sqrt(squaresOf(part) / part.length);
        expectClose(rollingDeviation(v, n, 'sample').deviation, perWindow(v, n, sample), 1e-6);
        expectClose(rollingDeviation(v, n, 'population').deviation, perWindow(v, n, population), 1e-6);
      }),
    );
  });

  it('correlation', () => {
    const pairs = fc.array(fc.tuple(price, price), { minLength: 30, maxLength: 60 });
    fc.assert(
      fc.property(pairs, fc.integer({ min: 5, max: 12 }), (both, n) => {
        const left = Float64Array.from(both, ([x]) => x);
        const right = Float64Array.from(both, ([, y]) => y);
        const found = rollingCorrelation(left, right, n);
        for (let i = n - 1; i < left.length; i++) {
          const x = [...left.subarray(i - n + 1, i + 1)];
          const y = [...right.subarray(i - n + 1, i + 1)];
          const scale = Math.sqrt(squaresOf(x) * squaresOf(y));
          if (scale < 1e-3) continue;
          const products = x.reduce((sum, value, k) => sum + (value - meanOf(x)) * (y[k]! - meanOf(y)), 0);
          expect(Math.abs(found[i]! - products / scale)).toBeLessThan(1e-6);
        }
      }),
    );
  });
});

describe('no indicator looks ahead', () => {
  const all: Record<string, (v: Float64Array) => Float64Array> = {
    sma: (v) => sma(v, 5),
    ema: (v) => ema(v, 5),
    wma: (v) => wma(v, 5),
    rsi: (v) => rsi(v, 5),
    macd: (v) => macd(v, { fast: 3, slow: 6, signal: 4 }).histogram,
    atr: (v) => atr({ high: v.map((x) => x + 1), low: v.map((x) => x - 1), close: v }, 5),
    adx: (v) => adx({ high: v.map((x) => x + 1), low: v.map((x) => x - 1), close: v }, 5).adx,
    bollinger: (v) => bollinger(v, 5, 2).percentB,
    stochastic: (v) => stochastic({ high: v, low: v, close: v }, { lookback: 5, smooth: 3, signal: 3 }).d,
    donchian: (v) => donchian({ high: v, low: v }, 5, 'prior').middle,
    roc: (v) => roc(v, 5),
    drawdown: (v) => drawdown(v, 5),
    zScore: (v) => zScore(v, 5),
    volatility: (v) => volatility(v, 5),
    correlation: (v) =>
      rollingCorrelation(
        v,
        v.map((x) => 1 / x),
        5,
      ),
  };

  it.each(Object.entries(all))('%s: bars to come change nothing before them', (_, indicator) => {
    fc.assert(
      fc.property(prices, fc.array(price, { minLength: 1, maxLength: 20 }), (past, future) => {
        const whole = indicator(Float64Array.from([...past, ...future]));
        expect(whole.subarray(0, past.length)).toEqual(indicator(past));
      }),
      { numRuns: 40 },
    );
  });

  it.each(Object.entries(all))('%s: answers a series that is too short with nothing', (_, indicator) => {
    expect([...indicator(column(1, 2))].every(Number.isNaN)).toBe(true);
    expect(indicator(column())).toHaveLength(0);
  });
});

describe('the edges', () => {
  const flat = column(...Array<number>(40).fill(12.1));

  it('a market that does not move is neutral, not infinite', () => {
    const bars = { high: flat, low: flat, close: flat };
    expect(rsi(flat, 14).at(-1)).toBe(50);
    expect(zScore(flat, 20).at(-1)).toBe(0);
    expect(bollinger(flat, 20, 2).percentB.at(-1)).toBe(0.5);
    expect(stochastic(bars, { lookback: 14, smooth: 1, signal: 3 }).k.at(-1)).toBe(50);
    expect(adx(bars, 14).adx.at(-1)).toBe(0);
    expect(volatility(flat, 20).at(-1)).toBe(0);
    expect(rollingCorrelation(flat, flat, 5).at(-1)).toBeNaN();
  });

  it('a market that stops moving has no deviation left over', () => {
    const moved = column(1, 900, 3, 250.7, 17, ...Array<number>(12).fill(0.1));
    expect(rollingDeviation(moved, 5, 'population').deviation.at(-1)).toBe(0);
  });

  it('rsi is 100 when nothing fell and 0 when nothing rose', () => {
    expect(rsi(column(1, 2, 3, 4, 5), 3).at(-1)).toBe(100);
    expect(rsi(column(5, 4, 3, 2, 1), 3).at(-1)).toBe(0);
  });

  it('a long sum does not drift', () => {
    const values = Float64Array.from({ length: 200_000 }, (_, i) => (i % 2 === 0 ? 1e9 : 1e-3));
    expect(sma(values, 10).at(-1)).toBe(5e8 + 5e-4);
  });

  it('the prior channel leaves the current bar out', () => {
    const high = column(1, 2, 3, 9);
    const low = column(1, 2, 3, 0);
    expect(donchian({ high, low }, 3, 'prior').upper[3]).toBe(3);
    expect(donchian({ high, low }, 3, 'current').upper[3]).toBe(9);
    expect(donchian({ high, low }, 3, 'prior').lower[3]).toBe(1);
  });

  it('starts counting after another indicator has warmed up', () => {
    const late = column(Number.NaN, Number.NaN, 3, 4, 5);
    expect([...sma(late, 2)]).toEqual([Number.NaN, Number.NaN, Number.NaN, 3.5, 4.5]);
    expect([...ema(late, 2)].slice(0, 3).every(Number.isNaN)).toBe(true);
  });

  it('refuses a window that is not a whole number of bars, and columns of different length', () => {
    expect(() => sma(flat, 0)).toThrow('at least 1 bars');
    expect(() => ema(flat, 2.5)).toThrow(RangeError);
    expect(() => rollingCorrelation(flat, column(1), 5)).toThrow('do not belong together');
  });
});

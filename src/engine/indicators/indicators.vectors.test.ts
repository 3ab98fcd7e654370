// Against what two independent libraries answer on 502 daily bars of SPY. Reads the `shared` folder beside the
// project and is skipped where it is absent.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adx } from './adx.ts';
import { atr, trueRange } from './atr.ts';
import { bollinger } from './bollinger.ts';
import { donchian } from './donchian.ts';
import { ema } from './ema.ts';
import { macd } from './macd.ts';
import { roc } from './roc.ts';
import { rollingDeviation } from './rolling-deviation.ts';
import { rsi } from './rsi.ts';
import { sma } from './sma.ts';
import { stochastic } from './stochastic.ts';
import { wma } from './wma.ts';
import { zScore } from './z-score.ts';

const shared = resolve(import.meta.dirname, '../../../../shared');
const isThere = existsSync(resolve(shared, 'vectors/indicators_skender.json'));

type Point = { index: number; field: string; expected: number; tolerance: number };
type Case = {
  indicator: string;
  params: Record<string, number>;
  points: Point[];
  undefined: { index: number; field: string }[];
  defined_counts: { field: string; non_null: number }[];
};

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(resolve(shared, path), 'utf8')) as T;
}

function readQuotes() {
  const [head, ...rows] = readFileSync(resolve(shared, 'data/skender-quotes/default.csv'), 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  const column = (name: string) => Float64Array.from(rows, (row) => Number(row[head!.indexOf(name)]));
  return { high: column('high'), low: column('low'), close: column('close') };
}

const zip = (left: Float64Array, right: Float64Array, join: (a: number, b: number) => number) =>
  left.map((value, index) => join(value, right[index]!));

/** Each field that the published cases name, as our columns. */
function fieldsOf(indicator: string, p: Record<string, number>): Record<string, Float64Array> {
  const bars = readQuotes();
  const { close } = bars;
  switch (indicator) {
    case 'sma':
      return { Sma: sma(close, p['period']!) };
    case 'ema':
      return { Ema: ema(close, p['period']!) };
    case 'rsi':
      return { Rsi: rsi(close, p['period']!) };
    case 'atr': {
      const average = atr(bars, p['period']!);
      return { Tr: trueRange(bars), Atr: average, Atrp: zip(average, close, (a, c) => (100 * a) / c) };
    }
    case 'macd': {
      const found = macd(close, { fast: p['fast']!, slow: p['slow']!, signal: p['signal']! });
      return {
        Macd: found.macd,
        Signal: found.signal,
        Histogram: found.histogram,
        FastEma: ema(close, p['fast']!),
        SlowEma: ema(close, p['slow']!),
      };
    }
    case 'bollinger': {
      const { middle, upper, lower, percentB, width } = bollinger(close, p['period']!, p['stddevs']!);
      return {
        Sma: middle,
        UpperBand: upper,
        LowerBand: lower,
        PercentB: percentB,
        Width: width,
        ZScore: zScore(close, p['period']!),
      };
    }
    case 'donchian': {
      const { middle, upper, lower } = donchian(bars, p['period']!, 'prior');
      const width = zip(
        zip(upper, lower, (u, l) => u - l),
        middle,
        (w, m) => w / m,
      );
      return { Centerline: middle, UpperBand: upper, LowerBand: lower, Width: width };
    }
    case 'adx': {
      const found = adx(bars, p['period']!);
      return { Pdi: found.plusDi, Mdi: found.minusDi, Dx: found.dx, Adx: found.adx, Adxr: found.adxr };
    }
    case 'stoch': {
      const windows = { lookback: p['lookback']!, signal: p['signal']!, smooth: p['smooth']! };
      const { k, d, j } = stochastic(bars, windows);
      return { Oscillator: k, K: k, Signal: d, D: d, PercentJ: j, J: j };
    }
    case 'stddev': {
      const { mean, deviation } = rollingDeviation(close, p['period']!, 'population');
      return { Mean: mean, StdDev: deviation, ZScore: zScore(close, p['period']!) };
    }
    default:
      throw new Error(`no such indicator here: ${indicator}`);
  }
}

describe.skipIf(!isThere)('indicators against published points', () => {
  const cases = isThere ? readJson<{ cases: Case[] }>('vectors/indicators_skender.json').cases : [];

  it.each(cases.map((one) => [one.indicator, one] as const))('%s', (indicator, one) => {
    const fields = fieldsOf(indicator, one.params);
    for (const { index, field, expected, tolerance } of one.points) {
      expect(Math.abs(fields[field]![index]! - expected), `${field} at ${index}`).toBeLessThanOrEqual(
        tolerance,
      );
    }
    for (const { index, field } of one.undefined) {
      expect(fields[field]![index], `${field} at ${index}`).toBeNaN();
    }
    for (const { field, non_null } of one.defined_counts) {
      expect(fields[field]!.filter((value) => !Number.isNaN(value)).length, field).toBe(non_null);
    }
  });
});

describe.skipIf(!isThere)('indicators against full series', () => {
  const theirs = isThere
    ? readJson<{ spy502: Record<string, (number | null)[]> }>('vectors/indicators_ttr_spy502.json').spy502
    : {};

  function ours(): Record<string, Float64Array> {
    const bars = readQuotes();
    const { close } = bars;
    const bands = bollinger(close, 20, 2);
    const lines = macd(close, { fast: 12, slow: 26, signal: 9 });
    const fast = stochastic(bars, { lookback: 14, smooth: 1, signal: 3 });
    const channel = donchian(bars, 20, 'current');
    return {
      sma20: sma(close, 20),
      ema20: ema(close, 20),
      wma20: wma(close, 20),
      rsi14: rsi(close, 14),
      atr14: atr(bars, 14),
      macd: lines.macd,
      macd_signal: lines.signal,
      bb_dn: bands.lower,
      bb_up: bands.upper,
      adx14: adx(bars, 14).adx,
      roc10: roc(close, 10),
      stochK: fast.k.map((value) => value / 100),
      stochD: fast.d.map((value) => value / 100),
      donch_hi20: channel.upper,
      donch_lo20: channel.lower,
    };
  }

  it('has every series', () => {
    expect(
      Object.keys(theirs)
        .filter((name) => name !== 'date')
        .sort(),
    ).toEqual(Object.keys(ours()).sort());
  });

  it.each(Object.keys(theirs).filter((name) => name !== 'date'))('%s', (name) => {
    const found = ours()[name]!;
    // Their ADX begins with another seed than Wilder's, which ours has; what is left of it after 360 bars is nothing.
    const from = name === 'adx14' ? 360 : 0;
    theirs[name]!.forEach((expected, index) => {
      if (index < from) return;
      if (expected === null) expect(found[index], `bar ${index}`).toBeNaN();
      else expect(Math.abs(found[index]! - expected), `bar ${index}`).toBeLessThanOrEqual(2e-9);
    });
  });
});

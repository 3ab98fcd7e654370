// Indicators on 502 daily bars of SPY against what two independent libraries answer.
import { adx } from '#engine/indicators/adx.ts';
import { atr, trueRange } from '#engine/indicators/atr.ts';
import { bollinger } from '#engine/indicators/bollinger.ts';
import { donchian } from '#engine/indicators/donchian.ts';
import { ema } from '#engine/indicators/averages/ema.ts';
import { macd } from '#engine/indicators/averages/macd.ts';
import { roc } from '#engine/indicators/roc.ts';
import { rollingDeviation } from '#engine/indicators/rolling-deviation.ts';
import { rsi } from '#engine/indicators/rsi.ts';
import { sma } from '#engine/indicators/averages/sma.ts';
import { stochastic } from '#engine/indicators/stochastic.ts';
import { wma } from '#engine/indicators/averages/wma.ts';
import { zScore } from '#engine/indicators/z-score.ts';
import { readSharedText, readVectors } from '../support/shared-data.ts';
import { type Comparison, compareValue, type OracleCase } from './comparison.ts';

/** Single points that a library publishes for its own tests, with where the value begins. */
export function publishedIndicatorCases(): OracleCase[] {
  const file = 'indicators_skender.json';
  const cases = readVectors<{ cases: Case[] }>(file)?.cases ?? [];
  return cases.map((one) => ({ file, name: one.indicator, compare: () => comparePoints(one) }));
}

/** Whole series, bar by bar. */
export function indicatorSeriesCases(): OracleCase[] {
  return Object.entries(theirSeries()).map(([name, theirs]) => ({
    file: SERIES_FILE,
    name,
    compare: () => compareSeries(name, theirs),
  }));
}

export function theirSeries(): Record<string, (number | null)[]> {
  const found = readVectors<{ spy502: Record<string, (number | null)[]> }>(SERIES_FILE)?.spy502 ?? {};
  return Object.fromEntries(Object.entries(found).filter(([name]) => name !== 'date'));
}

export function ourSeries(): Record<string, Float64Array> {
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

type Point = { index: number; field: string; expected: number; tolerance: number };
type Case = {
  indicator: string;
  params: Record<string, number>;
  points: Point[];
  undefined: { index: number; field: string }[];
  defined_counts: { field: string; non_null: number }[];
};

function comparePoints(one: Case): Comparison[] {
  const fields = fieldsOf(one.indicator, one.params);
  return [
    ...one.points.map(({ index, field, expected, tolerance }) => {
      const ours = fields[field]![index]!;
      return compareValue({ what: `${field} at ${index}`, theirs: expected, ours, tolerance });
    }),
    ...one.undefined.map(({ index, field }) => {
      const ours = fields[field]![index]!;
      return compareValue({ what: `${field} at ${index}`, theirs: null, ours, tolerance: 0 });
    }),
    ...one.defined_counts.map(({ field, non_null }) => {
      const ours = fields[field]!.filter((value) => !Number.isNaN(value)).length;
      return compareValue({ what: `values of ${field}`, theirs: non_null, ours, tolerance: 0 });
    }),
  ];
}

function compareSeries(name: string, theirs: readonly (number | null)[]): Comparison[] {
  const found = ourSeries()[name]!;
  // Their ADX begins with another seed than Wilder's, which ours has; what is left of it after 360 bars is nothing.
  const from = name === 'adx14' ? 360 : 0;
  return theirs
    .map((expected, index) =>
      compareValue({ what: `bar ${index}`, theirs: expected, ours: found[index]!, tolerance: 2e-9 }),
    )
    .slice(from);
}

function readQuotes() {
  const [head, ...rows] = readSharedText('data/skender-quotes/default.csv')
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

const SERIES_FILE = 'indicators_ttr_spy502.json';

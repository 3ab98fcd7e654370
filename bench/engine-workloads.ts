// Seeded bars for the engine's benchmark: a random walk with a small gap at the open and a random range, prices of six
// decimals. Only + - × ÷ and rounding, so that the same seed gives the same market on every machine.
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, MINUTE_MS } from '#units/instant.ts';

export type Walk = {
  readonly symbol: string;
  readonly seed: number;
  readonly bars: number;
  /** Standard deviation of one bar's move, and its mean, as shares of the price. */
  readonly volatility: number;
  readonly drift: number;
  readonly barMs: number;
};

export const MINUTES: Walk = {
  symbol: 'ONE',
  seed: 1,
  bars: 1_000_000,
  volatility: 0.0005,
  drift: 0,
  barMs: MINUTE_MS,
};

/** One instrument of 2,520 days, for the sweep. */
export const DAYS: Walk = {
  symbol: 'ONE',
  seed: 3,
  bars: 2_520,
  volatility: 0.012,
  drift: 0.0003,
  barMs: DAY_MS,
};

export type Lengths = { readonly fast: number; readonly slow: number };

/** 1,000 pairs: fast 5 to 44, slow five and up to 101 longer. */
export const PAIRS: readonly Lengths[] = Array.from({ length: 40 * 25 }, (_, i) => {
  const fast = 5 + Math.floor(i / 25);
  return { fast, slow: fast + 5 + 4 * (i % 25) };
});

/** 500 instruments of 2,520 days, with 25 volatilities and 11 drifts. */
export const UNIVERSE: readonly Walk[] = Array.from({ length: 500 }, (_, k) => ({
  symbol: `S${String(k).padStart(3, '0')}`,
  seed: 1_000 + k,
  bars: 2_520,
  volatility: 0.008 + (k % 25) * 0.0006,
  drift: 0.0002 + ((k * 7) % 11) * 0.00004,
  barMs: DAY_MS,
}));

export function walk({ symbol, seed, bars, volatility, drift, barMs }: Walk): BarSeries {
  const uniform = uniformFrom(seed);
  const open = new Float64Array(bars);
  const high = new Float64Array(bars);
  const low = new Float64Array(bars);
  const close = new Float64Array(bars);
  const volume = new Float64Array(bars);
  let last = 100;
  for (let i = 0; i < bars; i++) {
    const first = sixDecimals(last * (1 + bell(uniform) * volatility * 0.2));
    last = sixDecimals(first * (1 + bell(uniform) * volatility + drift));
    open[i] = first;
    close[i] = last;
    high[i] = sixDecimals(Math.max(first, last) * (1 + uniform() * volatility));
    low[i] = sixDecimals(Math.min(first, last) * (1 - uniform() * volatility));
    volume[i] = Math.floor(1e5 + uniform() * 1e6);
  }
  const closedAt = closes(bars, barMs);
  const interval = barMs === DAY_MS ? '1d' : '1m';
  return { symbol: symbol as Symbol, interval, length: bars, closedAt, open, high, low, close, volume };
}

/** One column of instants for all series of a calendar, as a store of columns has it. */
function closes(bars: number, barMs: number): Float64Array {
  const known =
    CLOSES.get(bars * barMs) ?? Float64Array.from({ length: bars }, (_, i) => START + (i + 1) * barMs);
  CLOSES.set(bars * barMs, known);
  return known;
}

/** Twelve uniform numbers added up, less six: close to a normal one. */
function bell(uniform: () => number): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += uniform();
  return sum;
}

/** Mulberry32 by Tommy Ettinger: uniform in [0, 1). */
function uniformFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function sixDecimals(price: number): number {
  return Number(price.toFixed(6));
}

const START = Date.UTC(2016, 0, 4);
const CLOSES = new Map<number, Float64Array>();

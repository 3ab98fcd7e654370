// Seeded markets and instruments for tests: the same seed gives the same bars.
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, instantOfDate } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Instrument } from '#engine/market/instrument.ts';

export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

export type RandomSeries = {
  readonly symbol: string;
  readonly seed: number;
  readonly bars: number;
  readonly start?: number;
  /** Largest move of one bar, as a share of the price. */
  readonly swing?: number;
  /** Omits one bar in this many; 0 omits none. */
  readonly gapEvery?: number;
};

export function randomSeries({
  symbol,
  seed,
  bars,
  start = 100,
  swing = 0.03,
  gapEvery = 0,
}: RandomSeries): BarSeries {
  const random = randomFrom(seed);
  const closedAt: number[] = [];
  const columns = { open: [] as number[], high: [] as number[], low: [] as number[], close: [] as number[] };
  const volume: number[] = [];
  let price = start;
  const first = instantOfDate('2020-01-01') + 21 * 3_600_000;
  for (let i = 0; i < bars; i++) {
    const open = round(price * (1 + (random() - 0.5) * swing * 0.5));
    const close = round(open * (1 + (random() - 0.5) * swing));
    const high = round(Math.max(open, close) * (1 + random() * swing * 0.3));
    const low = round(Math.min(open, close) * (1 - random() * swing * 0.3));
    price = close;
    if (gapEvery > 0 && i % gapEvery === gapEvery - 1) continue;
    closedAt.push(first + i * DAY_MS);
    columns.open.push(open);
    columns.close.push(close);
    columns.high.push(high);
    columns.low.push(low);
    volume.push(Math.floor(random() * 1e6));
  }
  return {
    symbol: symbol as Symbol,
    interval: '1d',
    length: closedAt.length,
    closedAt: Float64Array.from(closedAt),
    open: Float64Array.from(columns.open),
    high: Float64Array.from(columns.high),
    low: Float64Array.from(columns.low),
    close: Float64Array.from(columns.close),
    volume: Float64Array.from(volume),
  };
}

export function seriesMap(...list: readonly BarSeries[]): ReadonlyMap<Symbol, BarSeries> {
  return new Map(list.map((one) => [one.symbol, one]));
}

export function equityInstrument(symbol: string): Instrument {
  return {
    symbol: symbol as Symbol,
    kind: 'equity',
    name: symbol,
    currency: 'USD',
    unitCurrency: null,
    multiplier: 1,
    quantityStep: toQuantity(1),
    priceDecimals: 2,
    calendar: 'us-equity',
    settlement: 'cash',
    expiry: null,
  };
}

export function cryptoInstrument(symbol: string): Instrument {
  return {
    ...equityInstrument(symbol),
    kind: 'crypto',
    unitCurrency: symbol.slice(0, 3),
    quantityStep: toQuantity(0.0001),
    calendar: 'crypto',
  };
}

export function forexInstrument(symbol: string): Instrument {
  return {
    ...equityInstrument(symbol),
    kind: 'forex',
    currency: symbol.slice(3) as Instrument['currency'],
    unitCurrency: symbol.slice(0, 3),
    priceDecimals: 5,
    calendar: 'forex',
    settlement: 'margin',
  };
}

export function instrumentMap(...list: readonly Instrument[]): ReadonlyMap<Symbol, Instrument> {
  return new Map(list.map((one) => [one.symbol, one]));
}

function round(price: number): number {
  return Math.round(price * 100) / 100;
}

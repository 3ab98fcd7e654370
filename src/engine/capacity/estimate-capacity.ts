// How much money a strategy can trade before its own orders eat too much of what it earns. Promises an amount that follows from
// the record and its bars alone, with the range that the literature leaves open, or why there is none.
//
// Impact by the square-root law: buying Q of an instrument of which V trades in a bar, and whose price deviates by s in a bar,
// moves the price by Y s sqrt(Q / V), Y being of the order of one (Almgren, Thum, Hauptmann and Li, "Direct estimation of
// equity market impact", 2005; Toth and others, "Anomalous price impact and the critical nature of liquidity", Physical
// Review X 1, 021006, 2011). The average price paid is two thirds of the way. The law holds for bars of any length, because s
// and sqrt(V) both grow with the root of time.
import type { Symbol } from '#units/identifiers.ts';
import { fromMicro, type Micro, notional } from '#units/money.ts';
import { DAY_MS } from '#units/instant.ts';
import type { BacktestResult } from '../backtest/result.ts';
import type { BarSeries } from '../market/bar-series.ts';
import type { Instrument } from '../market/instrument.ts';
import { log } from '../math/log.ts';
import { dollarsPerQuote } from '../portfolio/quote-rate.ts';

export type CapacityEstimate = EstimatedCapacity | UnknownCapacity;

export type EstimatedCapacity = {
  readonly kind: 'estimated';
  /** Whole dollars; rounded down to two significant digits, these three. */
  readonly amount: number;
  readonly low: number;
  readonly high: number;
  /** impact: beyond it the cost of its own orders. volume: beyond it its share of what is traded. */
  readonly bound: 'impact' | 'volume';
  /** All that it buys and sells in a year, as a multiple of its money. */
  readonly tradedPerYear: number;
  /** How many orders it was estimated from. */
  readonly orders: number;
};

export type UnknownCapacity = {
  readonly kind: 'unknown';
  readonly why: 'no_volume' | 'too_few_orders';
};

export type CapacityFacts = {
  readonly result: Pick<BacktestResult, 'timeline' | 'equity' | 'fills'>;
  readonly series: ReadonlyMap<Symbol, BarSeries>;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  /** A fraction a year, after costs. */
  readonly annualReturn: number;
};

export function estimateCapacity(facts: CapacityFacts): CapacityEstimate {
  const { timeline } = facts.result;
  const from = Math.max(timeline[0] ?? 0, (timeline.at(-1) ?? 0) - YEARS_MAX * YEAR_MS);
  const orders = pressing(facts, from);
  if (orders === null) return { kind: 'unknown', why: 'no_volume' };
  if (orders.length < ORDERS_MIN) return { kind: 'unknown', why: 'too_few_orders' };
  const years = (timeline.at(-1)! - from) / YEAR_MS;
  const bound = (impact: number, share: number) =>
    boundAt(orders, { annualReturn: facts.annualReturn, years }, { impact, share });
  const middle = bound(IMPACT, VOLUME_SHARE);
  return {
    kind: 'estimated',
    amount: rounded(middle.amount),
    low: rounded(bound(IMPACT_HIGH, VOLUME_SHARE / DOUBT).amount),
    high: rounded(bound(IMPACT_LOW, VOLUME_SHARE * DOUBT).amount),
    bound: middle.bound,
    tradedPerYear: sum(orders, ({ share }) => share) / years,
    orders: orders.length,
  };
}

/** An order of the record, as what it would be of any amount. */
type Pressing = {
  /** Its worth as a fraction of the equity at that time. */
  readonly share: number;
  /** Dollars of the instrument that trade in a bar. */
  readonly volume: number;
  /** The usual move of its price in a bar, as a fraction. */
  readonly deviation: number;
};

/** The orders from an instant on; null where the volume of an instrument is not known. */
function pressing({ result, series, instruments }: CapacityFacts, from: number): readonly Pressing[] | null {
  const { timeline, equity, fills } = result;
  const orders: Pressing[] = [];
  let row = 0;
  for (const { symbol, quantity, price, at } of fills) {
    while (row + 1 < timeline.length && timeline[row + 1]! <= at) row++;
    if (at < from) continue;
    const bars = series.get(symbol);
    const instrument = instruments.get(symbol);
    // Options beside shares have no bars of their own.
    if (bars === undefined || instrument === undefined) return null;
    const usual = usualBar(bars, at);
    if (usual === null) continue;
    const rate = dollarsPerQuote(instrument, price, NO_MARKS);
    const worth = fromMicro(notional(quantity, price, instrument.multiplier)) * rate;
    const volume = usual.volume * instrument.multiplier * rate;
    if (volume <= 0) return null;
    orders.push({
      share: worth / fromMicro(equity[row] as Micro),
      volume,
      deviation: usual.deviation,
    });
  }
  return orders;
}

/** Medians of the bars before an instant, so that neither a split nor a single day counts; null where they are too few. */
function usualBar(
  { closedAt, close, volume }: BarSeries,
  at: number,
): { readonly volume: number; readonly deviation: number } | null {
  const end = firstFrom(closedAt, at);
  const first = end - BARS;
  if (first < 1) return null;
  const volumes: number[] = [];
  const moves: number[] = [];
  for (let i = first; i < end; i++) {
    volumes.push(volume[i]! * close[i]!);
    moves.push(Math.abs(log(close[i]! / close[i - 1]!)));
  }
  return { volume: median(volumes), deviation: median(moves) * DEVIATION_PER_MEDIAN };
}

function firstFrom(closedAt: Float64Array, at: number): number {
  let [low, high] = [0, closedAt.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (closedAt[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Assumed = { readonly impact: number; readonly share: number };

function boundAt(
  orders: readonly Pressing[],
  { annualReturn, years }: { readonly annualReturn: number; readonly years: number },
  { impact, share }: Assumed,
): { readonly amount: number; readonly bound: EstimatedCapacity['bound'] } {
  const byVolume = volumeBound(orders, share);
  // A year's cost is k sqrt(amount): it equals the share of what is earned at the square of share / k.
  const yearly = sum(orders, (one) => one.share * one.deviation * Math.sqrt(one.share / one.volume)) / years;
  const k = AVERAGE_PAID * impact * yearly;
  const eaten = Math.max(EATEN_MAX * annualReturn, COST_ALLOWED);
  if (k === 0) return { amount: byVolume, bound: 'volume' };
  const byImpact = (eaten / k) * (eaten / k);
  return byImpact < byVolume ? { amount: byImpact, bound: 'impact' } : { amount: byVolume, bound: 'volume' };
}

/** The amount of which all but a little is traded by orders within this share of a bar's volume. */
function volumeBound(orders: readonly Pressing[], share: number): number {
  const fitting = orders
    .map((one) => ({ amount: (share * one.volume) / one.share, traded: one.share }))
    .toSorted((one, other) => one.amount - other.amount);
  const passed = sum(orders, (one) => one.share) * BEYOND_VOLUME;
  let traded = 0;
  for (const one of fitting) {
    traded += one.traded;
    if (traded > passed) return one.amount;
  }
  return fitting.at(-1)!.amount;
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[Math.floor((values.length - 1) / 2)]!;
}

function sum<One>(all: readonly One[], of: (one: One) => number): number {
  let total = 0;
  for (const one of all) total += of(one);
  return total;
}

/** Down to two significant digits: more would claim a precision that nobody has. */
function rounded(amount: number): number {
  let unit = 1;
  while (amount / unit >= 100) unit *= 10;
  return Math.floor(amount / unit) * unit;
}

const NO_MARKS: ReadonlyMap<never, number> = new Map<never, number>();
const YEAR_MS = 365.25 * DAY_MS;
/** Volumes of long ago say little of today's. */
const YEARS_MAX = 3;
const ORDERS_MIN = 10;
/** A quarter of days: long enough for a median, short enough to follow the market. */
const BARS = 63;
/** A standard deviation is so many times the median absolute move of a normal distribution. */
const DEVIATION_PER_MEDIAN = 1.4826;
/** Y of the law, and what its measurements leave open. */
const IMPACT = 1;
const IMPACT_LOW = 0.5;
const IMPACT_HIGH = 1.5;
/** Of a path that rises with the root of what is bought: the integral of the root from 0 to 1. */
const AVERAGE_PAID = 2 / 3;
/** The share of the yearly return that the impact of its own orders may eat. */
export const EATEN_MAX = 0.2;
/** A fraction a year that impact may cost in any case: of what hardly earns, a fifth would be next to nothing. */
export const COST_ALLOWED = 0.01;
/** The share of a bar's volume that an order may be. */
export const VOLUME_SHARE = 0.05;
/** How far the share of the volume may be wrong, either way. */
const DOUBT = 2;
/** Of all that is traded, what may be traded by larger orders. */
const BEYOND_VOLUME = 0.05;

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equityInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, type Instant, instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { COST_ALLOWED, EATEN_MAX, estimateCapacity, VOLUME_SHARE } from './estimate-capacity.ts';

const DAYS = 800;
const PRICE = 100;
const EQUITY = 100_000;
const MOVE = 0.01;
const closes = Float64Array.from({ length: DAYS }, (_, day) => (day + 1) * DAY_MS);
const SYMBOL = 'AAA' as Symbol;

/** A price that goes up and down by the same step, and trades the same every day. */
function steady(volume: number): BarSeries {
  const close = Float64Array.from(closes, (_, day) => (day % 2 === 0 ? PRICE : PRICE * (1 + MOVE)));
  return {
    symbol: SYMBOL,
    interval: '1d',
    length: DAYS,
    closedAt: closes,
    open: close,
    high: close,
    low: close,
    close,
    volume: Float64Array.from(closes, () => volume),
  };
}

/** One order of this share of the equity every so many days. */
function record({ share = 0.5, every = 20 } = {}) {
  const fills = [];
  for (let day = 100; day < DAYS; day += every)
    fills.push({
      symbol: SYMBOL,
      side: 'buy' as const,
      quantity: toQuantity((share * EQUITY) / PRICE),
      price: PRICE,
      commission: toMicro(0),
      at: instant(closes[day]!) as Instant,
    });
  return {
    timeline: closes,
    equity: Float64Array.from(closes, () => toMicro(EQUITY)),
    fills,
  };
}

const facts = (change: { volume?: number; share?: number; every?: number; annualReturn?: number } = {}) => ({
  result: record(change),
  series: new Map([[SYMBOL, steady(change.volume ?? 1_000_000)]]),
  instruments: instrumentMap(equityInstrument('AAA')),
  annualReturn: change.annualReturn ?? 0.1,
});

function estimated(change: Parameters<typeof facts>[0] = {}) {
  const estimate = estimateCapacity(facts(change));
  if (estimate.kind !== 'estimated') throw new Error(estimate.why);
  return estimate;
}

/** What the orders of an amount would cost it in a year, counted order by order, as a fraction of it. */
function costOf(amount: number, change: Parameters<typeof facts>[0] = {}): number {
  const { fills } = record(change);
  const deviation = 1.4826 * Math.log(1 + MOVE);
  let cost = 0;
  for (const _ of fills) {
    const order = amount * (change.share ?? 0.5);
    cost += order * (2 / 3) * deviation * Math.sqrt(order / ((change.volume ?? 1_000_000) * PRICE));
  }
  return cost / amount / ((closes.at(-1)! - closes[0]!) / (365.25 * DAY_MS));
}

describe('the capacity of a strategy', () => {
  it('is the amount at which the impact of its own orders eats a fifth of what it earns', () => {
    const little = { every: 2, annualReturn: 0.05 };
    const { amount, bound, low, high } = estimated(little);
    expect(bound).toBe('impact');
    expect(costOf(amount, little)).toBeLessThanOrEqual(EATEN_MAX * 0.05);
    expect(costOf(amount * 1.12, little)).toBeGreaterThan(EATEN_MAX * 0.05);
    expect(low).toBeLessThan(amount);
    expect(high).toBeGreaterThan(amount);
  });

  it('is less where its orders would be too much of what trades', () => {
    const { amount, bound } = estimated({ every: 60, annualReturn: 2 });
    expect(bound).toBe('volume');
    // Half of the amount is one order, and what trades in a day is worth 100 to 101 million.
    expect((amount * 0.5) / 100_000_000).toBeLessThanOrEqual(VOLUME_SHARE * 1.01);
    expect((amount * 0.5) / 100_000_000).toBeGreaterThan(VOLUME_SHARE * 0.9);
  });

  it('falls with larger and more frequent orders, and rises with volume and what it earns', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 30 }),
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        (every, share) => {
          const base = { every, share, annualReturn: 0.1 };
          const { amount, low, high } = estimated(base);
          expect(estimated({ ...base, share: share * 1.5 }).amount).toBeLessThan(amount);
          expect(estimated({ ...base, volume: 2_000_000 }).amount).toBeGreaterThan(amount * 1.8);
          expect(estimated({ ...base, annualReturn: 0.2 }).amount).toBeGreaterThanOrEqual(amount);
          expect(low <= amount && amount <= high).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('of one that hardly earns, or loses, is the amount at which impact costs a percent a year', () => {
    const [losing, nothing, hardly] = [-0.1, 0, 0.001].map((annualReturn) => ({ every: 2, annualReturn }));
    const { amount, bound } = estimated(losing);
    expect(bound).toBe('impact');
    expect(costOf(amount, losing)).toBeLessThanOrEqual(COST_ALLOWED);
    expect(costOf(amount * 1.12, losing)).toBeGreaterThan(COST_ALLOWED);
    expect(estimated(nothing).amount).toBe(amount);
    expect(estimated(hardly).amount).toBe(amount);
  });

  it('is not guessed where a market reports no volume, or where it hardly traded', () => {
    expect(estimateCapacity(facts({ volume: 0 }))).toEqual({ kind: 'unknown', why: 'no_volume' });
    expect(estimateCapacity(facts({ every: 200 }))).toEqual({ kind: 'unknown', why: 'too_few_orders' });
    const { series, ...rest } = facts();
    // An option beside a share has no bars.
    expect(estimateCapacity({ ...rest, series: new Map([...series].slice(1)) })).toEqual({
      kind: 'unknown',
      why: 'no_volume',
    });
  });
});

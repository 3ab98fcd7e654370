import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import { PACKED_MAGIC, packSeries, unpackBars } from './packed-bars.ts';
import type { PassportSeries } from '#engine/evidence/passport.ts';

const magic = new TextEncoder().encode(PACKED_MAGIC);
const file = (...parts: readonly Uint8Array[]) =>
  new Uint8Array([...magic, ...parts.flatMap((one) => [...one])]);

function seriesOf(prices: readonly number[], more: Partial<PassportSeries> = {}): PassportSeries {
  const column = (by: number) => prices.map((price) => price * by);
  return {
    instrument: equityInstrument('AAA'),
    interval: '1d',
    closed_at: prices.map((_, i) => 1_700_000_000_000 + i * 86_400_000),
    open: prices,
    high: column(1.01),
    low: column(0.99),
    close: prices,
    volume: prices.map((_, i) => i * 1000),
    ...more,
  };
}

const back = ({ scores, ...one }: PassportSeries) => ({
  ...one,
  ...(scores === undefined ? {} : { scores: scores.map((score) => score ?? Number.NaN) }),
});

const plain = (bytes: Uint8Array) =>
  unpackBars(bytes).series.map((one) =>
    Object.fromEntries(
      Object.entries(one).map(([name, value]) => [name, value instanceof Float64Array ? [...value] : value]),
    ),
  );

describe('packed bars', () => {
  it('come back bit for bit, whatever the prices are', () => {
    const price = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: 0, max: 10_000_000 }).map((cents) => cents / 100),
      fc.constantFrom(0, -0, 1e-9, 1e15),
    );
    fc.assert(
      fc.property(fc.array(price, { maxLength: 40 }), fc.array(price, { maxLength: 5 }), (one, other) => {
        const series = [
          seriesOf(one),
          seriesOf(other, { scores: other.map((score, i) => (i % 2 === 0 ? score : null)) }),
        ];
        expect(plain(file(...series.map(packSeries)))).toEqual(series.map(back));
      }),
      { numRuns: 300 },
    );
  });

  it('of prices in cents take four bytes a value', () => {
    const prices = Array.from({ length: 1000 }, (_, i) => (10_000 + ((i * 37) % 500)) / 100);
    const series = { ...seriesOf(prices), high: prices, low: prices };
    expect(packSeries(series).length).toBeLessThan(1000 * 6 * 4 + 1000);
    expect(plain(file(packSeries(series)))).toEqual([series]);
  });

  it('that were cut off or are something else are refused', () => {
    const whole = file(packSeries(seriesOf([1, 2, 3])));
    for (const end of [magic.length + 2, magic.length + 20, whole.length - 1])
      expect(() => unpackBars(whole.subarray(0, end))).toThrow('the prices end in the middle');
    expect(() => unpackBars(new TextEncoder().encode('{"format":'))).toThrow('not in the format bwbars/1');
    expect(unpackBars(magic).series).toEqual([]);
  });
});

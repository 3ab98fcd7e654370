import { expect, it } from 'vitest';
import { randomSeries } from '#tests/support/engine/random-market.ts';
import { decodeBars, encodeBars } from './bar-columns.ts';

const bars = randomSeries({ symbol: 'AAA', seed: 9, bars: 50 });

it('reads the bars that were written', () => {
  const bytes = encodeBars(bars);
  expect(decodeBars(bytes, bars)).toEqual(bars);
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  expect(decodeBars(shifted.subarray(3), bars)).toEqual(bars);
});

it('refuses bytes that are no whole block, and bars out of order', () => {
  const bytes = encodeBars(bars);
  expect(() => decodeBars(bytes.subarray(0, bytes.length - 8), bars)).toThrow('whole block');
  expect(() => decodeBars(new Uint8Array(3), bars)).toThrow('3 bytes');
  expect(() => decodeBars(new Uint8Array(64), bars)).toThrow('byte order');
  const closedAt = bars.closedAt.slice();
  closedAt[7] = closedAt[6]!;
  expect(() => decodeBars(encodeBars({ ...bars, closedAt }), bars)).toThrow('out of order at 7');
});

import { expect, it } from 'vitest';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import { limitPrice, quotedBeyond } from './limit-price.ts';

const AAA = equityInstrument('AAA');

it.each([
  ['down', 10.019, 10.01],
  ['up', 10.011, 10.02],
  // 0.1 + 0.2 is a little more than 0.3, and 1.1 × 1.1 than 1.21: both are quoted as they are.
  ['up', 0.1 + 0.2, 0.3],
  ['up', 1.1 * 1.1, 1.21],
  ['down', 100 * 0.9 * 0.99, 89.1],
  // What is off a tick by more than that is rounded, however little it is.
  ['up', 10.010000001, 10.02],
  ['down', 10.009999999, 10],
] as const)('rounds %s from %d to %d', (way, price, rounded) => {
  expect(quotedBeyond(price, way, AAA)).toBe(rounded);
});

it('keeps a collar on the near side of its width', () => {
  expect(limitPrice('buy', 10.01, 0.03, AAA)).toBe(10.31);
  expect(limitPrice('sell', 10.01, 0.03, AAA)).toBe(9.71);
});

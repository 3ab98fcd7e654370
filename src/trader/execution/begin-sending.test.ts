import { expect, test } from 'vitest';
import { nextSize } from './begin-sending.ts';

test('fewer orders begin together where their checks would be old when they leave, and more again where there is time', () => {
  expect(nextSize(16, 500)).toBe(8);
  expect(nextSize(1, 5_000)).toBe(1);
  expect(nextSize(4, 200)).toBe(4);
  expect(nextSize(4, 50)).toBe(8);
  expect(nextSize(16, 1)).toBe(16);
});

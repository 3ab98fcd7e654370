import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { roundHalfEven } from './round.ts';

it('rounds to the nearest whole number and a tie to the even neighbour', () => {
  const pairs = [
    [0.5, 0],
    [1.5, 2],
    [2.5, 2],
    [-0.5, 0],
    [-1.5, -2],
    [-2.5, -2],
    [0.49999999999999994, 0],
    [2.5000000000000004, 3],
    [-0.2, 0],
    [2 ** 52 + 1, 2 ** 52 + 1],
    [-(2 ** 51) - 1.5, -(2 ** 51) - 2],
    [2 ** 51 - 0.5, 2 ** 51],
    [2 ** 51 + 0.5, 2 ** 51],
  ] as const;
  for (const [value, whole] of pairs) expect(roundHalfEven(value)).toBe(whole);
});

it('never moves a number by more than a half', () => {
  fc.assert(
    fc.property(fc.double({ min: -9e15, max: 9e15, noNaN: true }), (value) => {
      const whole = roundHalfEven(value);
      expect(Number.isInteger(whole)).toBe(true);
      expect(Math.abs(whole - value)).toBeLessThanOrEqual(0.5);
      if (Math.abs(whole - value) === 0.5) expect(Math.abs(whole % 2)).toBe(0);
    }),
    { numRuns: 5_000 },
  );
});

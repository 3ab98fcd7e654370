import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exp } from './exp.ts';
import { log } from './log.ts';
import { power } from './power.ts';
import { splitPowerOfTwo, timesPowerOfTwo } from './power-of-two.ts';

const relative = (got: number, wanted: number) =>
  got === wanted ? 0 : Math.abs(got - wanted) / Math.abs(wanted);
const double = (min: number, max: number) => fc.double({ min, max, noNaN: true });

describe('exp and log', () => {
  it('exp is within 1e-15 of the truth over its whole range', () => {
    fc.assert(
      fc.property(double(-700, 709), (x) => relative(exp(x), Math.exp(x)) < 1e-15),
      { numRuns: 5000 },
    );
    fc.assert(
      fc.property(double(-1, 1), (x) => relative(exp(x), Math.exp(x)) < 5e-16),
      { numRuns: 5000 },
    );
  });

  it('log is within 1e-15 of the truth, near 1 and at the ends included', () => {
    const positive = double(Number.MIN_VALUE, Number.MAX_VALUE);
    fc.assert(
      fc.property(positive, (x) => relative(log(x), Math.log(x)) < 1e-15),
      { numRuns: 5000 },
    );
    fc.assert(
      fc.property(double(0.5, 2), (x) => relative(log(x), Math.log(x)) < 1e-15),
      { numRuns: 5000 },
    );
    expect(log(Number.MIN_VALUE)).toBe(Math.log(Number.MIN_VALUE));
  });

  it('agrees with the definition at the edges', () => {
    expect([exp(0), exp(710), exp(-746), exp(Number.NEGATIVE_INFINITY)]).toEqual([
      1,
      Number.POSITIVE_INFINITY,
      0,
      0,
    ]);
    expect(exp(1)).toBeCloseTo(Math.E, 14);
    expect([log(1), log(0), log(-1), log(Number.POSITIVE_INFINITY)]).toEqual([
      0,
      Number.NEGATIVE_INFINITY,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it('power agrees with the platform to 1e-13', () => {
    fc.assert(
      fc.property(
        double(0.001, 1000),
        double(-30, 30),
        (x, y) => relative(power(x, y), Math.pow(x, y)) < 1e-13,
      ),
    );
    expect([power(-2, 3), power(2, -2), power(0, 0.5), power(5, 0)]).toEqual([-8, 0.25, 0, 1]);
  });

  it('splits and scales without loss', () => {
    fc.assert(
      fc.property(double(Number.MIN_VALUE, Number.MAX_VALUE), (x) => {
        const { mantissa, exponent } = splitPowerOfTwo(x);
        return mantissa >= 1 && mantissa < 2 && timesPowerOfTwo(mantissa, exponent) === x;
      }),
    );
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalDistribution, normalQuantile } from './normal.ts';

describe('the normal distribution', () => {
  // Abramowitz & Stegun, table 26.1, and the well-known critical values.
  it.each([
    [0, 0.5],
    [1, 0.841344746068543],
    [1.959963984540054, 0.975],
    [-3, 0.0013498980316301],
    [4.5, 0.999996602326875],
    [-6, 9.865876450377e-10],
    [-10, 7.61985302416e-24],
  ])('P(Z <= %d) is %d', (z, p) => {
    expect(Math.abs(normalDistribution(z) / p - 1)).toBeLessThan(1e-12);
  });

  it('the quantile is its inverse', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), (p) => {
        expect(Math.abs(normalDistribution(normalQuantile(p)) / p - 1)).toBeLessThan(1e-12);
      }),
    );
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 13);
    expect([normalQuantile(0), normalQuantile(1), normalQuantile(1.1)]).toEqual([
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      Number.NaN,
    ]);
  });

  it('is symmetric and rises', () => {
    fc.assert(
      fc.property(fc.double({ min: -8, max: 8, noNaN: true }), (z) => {
        expect(normalDistribution(z) + normalDistribution(-z)).toBeCloseTo(1, 15);
        expect(normalDistribution(z + 0.01)).toBeGreaterThanOrEqual(normalDistribution(z));
      }),
    );
  });
});

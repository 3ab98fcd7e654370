import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { smallest } from './smallest.ts';

it('finds what sorting would find, equal values and all', () => {
  const values = fc.array(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true })), {
    minLength: 1,
  });
  fc.assert(
    fc.property(values, fc.nat(), (list, at) => {
      const k = at % list.length;
      const sorted = Float64Array.from(list).sort();
      expect(smallest(Float64Array.from(list), list.length, k) === sorted[k]).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

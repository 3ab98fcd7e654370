import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { lowest } from './lowest.ts';

it('are the beginning of the whole sample in its order, missing values left out', () => {
  const returns = fc.array(fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.constant(Number.NaN)));
  fc.assert(
    fc.property(returns, fc.nat(40), (values, count) => {
      const column = Float64Array.from(values);
      const sorted = column.filter((value) => !Number.isNaN(value)).sort();
      // Zero has two signs, and they are equal.
      const plain = (list: Float64Array) => Array.from(list, (value) => value + 0);
      expect(plain(lowest(column, count))).toEqual(plain(sorted.subarray(0, count)));
      expect(column).toEqual(Float64Array.from(values));
    }),
  );
});

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomFrom } from '#tests/support/engine/random-market.ts';
import { RunningMean, sma } from './sma.ts';

it('gives the bits of the column, wherever it begins', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.constantFrom(1, 2, 20, 511, 512, 513, 700),
      fc.constantFrom(0, 3),
      fc.constantFrom(0, 19, 600, 1_300),
      (seed, window, undefinedBars, begin) => {
        const random = randomFrom(seed);
        const values = Float64Array.from({ length: 2_200 }, (_, i) =>
          i < undefinedBars ? Number.NaN : 100 + random(),
        );
        const mean = new RunningMean(values, window);
        const column = sma(values, window);
        let sum = Number.NaN;
        let fresh = mean.nextFresh(mean.first);
        for (let i = Math.max(begin, mean.first); i < values.length; i++) {
          sum = mean.next(sum, i);
          expect(sum / window).toBe(column[i]);
          if (i === fresh) fresh = mean.nextFresh(i);
          else expect(mean.nextFresh(i)).toBeGreaterThan(i);
        }
        expect(fresh - mean.first).toBeGreaterThan(0);
      },
    ),
    { numRuns: 60 },
  );
});

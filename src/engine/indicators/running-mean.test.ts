import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomFrom } from '../testing/random-market.ts';
import { RunningMean, sma } from './sma.ts';

it('gives the bits of the column, whatever the blocks', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.constantFrom(1, 2, 20, 511, 512, 513, 700),
      fc.constantFrom(0, 3),
      fc.constantFrom(1, 100, 512, 1_024, 2_500),
      fc.constantFrom(0, 19, 600),
      (seed, window, undefinedBars, block, begin) => {
        const random = randomFrom(seed);
        const values = Float64Array.from({ length: 2_200 }, (_, i) =>
          i < undefinedBars ? Number.NaN : 100 + random(),
        );
        const mean = new RunningMean(values, window);
        const joined = sma(values, window).slice(0, begin);
        const parts: number[] = [...joined];
        const out = new Float64Array(block);
        for (let from = begin; from < values.length; from += block) {
          const to = Math.min(values.length, from + block);
          mean.write(out, from, to);
          parts.push(...out.subarray(0, to - from));
        }
        expect(Float64Array.from(parts)).toEqual(sma(values, window));
      },
    ),
    { numRuns: 150 },
  );
});

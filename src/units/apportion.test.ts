import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apportion } from './apportion.ts';

it('gives what rounding leaves to the largest remainder, and of equal ones to the first', () => {
  expect(apportion(10, [2, 1])).toEqual([7, 3]);
  expect(apportion(2, [1, 1, 1])).toEqual([1, 1, 0]);
  expect(apportion(-10, [2, 1])).toEqual([-7, -3]);
  expect(apportion(5, [0, 0])).toBeNull();
});

it('always adds up, and no share is a whole unit away from its exact part', () => {
  const weights = fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.maxSafeInteger(), weights, (total, all) => {
      fc.pre(all.some((one) => one > 0));
      const shares = apportion(total, all)!;
      expect(shares.reduce((sum, one) => sum + BigInt(one), 0n)).toBe(BigInt(total));
      const sum = all.reduce((so, one) => so + BigInt(one), 0n);
      for (const [place, share] of shares.entries()) {
        const off = BigInt(share) * sum - BigInt(total) * BigInt(all[place]!);
        expect(off < sum && off > -sum).toBe(true);
      }
    }),
  );
});

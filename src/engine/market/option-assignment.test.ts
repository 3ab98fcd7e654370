import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromQuantity, toQuantity } from '#units/quantity.ts';
import { shareAssignment } from './option-assignment.ts';

const share = (assigned: number, written: readonly number[]) =>
  shareAssignment(
    toQuantity(assigned),
    written.map((contracts) => toQuantity(contracts)),
  ).map((units) => fromQuantity(units));

it('meets each writer in proportion, the rest by the largest remainder, and of equal ones the first', () => {
  expect(share(3, [4, 2, 1])).toEqual([2, 1, 0]);
  expect(share(1, [5, 3])).toEqual([1, 0]);
  expect(share(4, [5, 3])).toEqual([3, 1]);
  expect(share(1, [2, 2, 2])).toEqual([1, 0, 0]);
});

it('takes no more than was written, and nothing where nothing is left', () => {
  expect(share(9, [4, 2])).toEqual([4, 2]);
  expect(share(0, [4, 2])).toEqual([0, 0]);
  expect(share(2, [])).toEqual([]);
});

it('assigns whole contracts, all of them, to nobody more than they wrote and within one of their part', () => {
  const written = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(written, fc.double({ min: 0, max: 1, noNaN: true }), (contracts, part) => {
      const all = contracts.reduce((sum, one) => sum + one, 0);
      const assigned = Math.round(all * part);
      const shares = share(assigned, contracts);
      expect(shares.reduce((sum, one) => sum + one, 0)).toBe(assigned);
      for (const [place, one] of shares.entries()) {
        expect(Number.isInteger(one)).toBe(true);
        expect(one).toBeLessThanOrEqual(contracts[place]!);
        expect(Math.abs(one - (assigned * contracts[place]!) / all)).toBeLessThan(1);
      }
    }),
  );
});

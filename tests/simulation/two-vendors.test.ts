import { expect, test } from 'vitest';
import { failuresOf, runSeed, STEPS } from './run-seed.ts';

// Worlds with two vendors and practice: some people trade at the one, some at the other, some practise, and some practise
// beside what they trade.
const traded = { practiced: 0, atSecondVendor: 0, fills: 0 };

test.each([200_001, 200_002, 200_003])(
  'practice and two vendors hold what one does, seed %i',
  {
    timeout: 600_000,
  },
  async (seed) => {
    const simulated = await runSeed(seed, STEPS);
    expect(failuresOf(simulated)).toEqual([]);
    for (const what of ['practiced', 'atSecondVendor', 'fills'] as const)
      traded[what] += simulated.counts[what];
  },
);

test('they traded at both vendors and on practice', () => {
  const { practiced, atSecondVendor, fills } = traded;
  expect(practiced).toBeGreaterThan(0);
  expect(atSecondVendor).toBeGreaterThan(0);
  expect(fills - practiced - atSecondVendor).toBeGreaterThan(0);
});

import { expect, test } from 'vitest';
import { runSeed, STEPS, testSeeds } from './run-seed.ts';

// In a world where everything goes wrong that can.
testSeeds(1, 6);
// And in one where the market moves on while the trader looks.
testSeeds(100_001, 100_001);

test('a seed gives the same world twice, bit for bit', { timeout: 240_000 }, async () => {
  const [once, again] = [await runSeed(1_007, STEPS), await runSeed(1_007, STEPS)];
  expect(again.trace).toEqual(once.trace);
  expect(again.fingerprint).toBe(once.fingerprint);
  expect(once.counts.fills).toBeGreaterThan(0);
});

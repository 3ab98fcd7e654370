import { expect, test } from 'vitest';
import { runSeed, STEPS } from './run-seed.ts';

test('a seed gives the same world twice, bit for bit', { timeout: 240_000 }, async () => {
  const [once, again] = [await runSeed(1_007, STEPS), await runSeed(1_007, STEPS)];
  expect(again.trace).toEqual(once.trace);
  expect(again.fingerprint).toBe(once.fingerprint);
  expect(once.counts.fills).toBeGreaterThan(0);
});

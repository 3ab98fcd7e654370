import { expect, test } from 'vitest';
import { failuresOf, runSeed, STEPS } from './run-seed.ts';

// Worlds in which a model decides some strategies, and often gives no answer, while traders die and the market moves on.
const met = { asked: 0, answered: 0, decided: 0 };

test.each([300_001, 300_002])(
  'a model is asked once for each close, and nothing is lost, doubled or unbalanced, seed %i',
  { timeout: 600_000 },
  async (seed) => {
    const simulated = await runSeed(seed, STEPS);
    expect(failuresOf(simulated)).toEqual([]);
    for (const what of ['asked', 'answered', 'decided'] as const) met[what] += simulated.counts[what];
  },
);

test('models answered and failed, and what they decided was traded', () => {
  expect(met.answered).toBeGreaterThan(0);
  expect(met.asked).toBeGreaterThan(met.answered);
  expect(met.decided).toBeGreaterThan(0);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { withDatabase } from './database-of-seed.ts';
import { simulate } from './simulate.ts';

const STEPS = 12;
const SEEDS = 50;
const SEEDS_A_TEST = 10;
/** Seeds that once found something, with as many steps as it took. */
const FOUND_SOMETHING: readonly { seed: number; steps: number }[] = [{ seed: 736, steps: 12 }];

const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-simulation-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (seed: number, steps: number) =>
  withDatabase(inject('databaseUrl'), `simulated_${seed}_${process.pid}`, (records) =>
    simulate(seed, records, { steps, keys: path.join(folder, 'keys') }),
  );
const told = ({ seed, trace, offences }: Awaited<ReturnType<typeof run>>) =>
  offences.map((offence) => `seed ${seed}, ${trace.length} steps, ${trace.at(-1)}: ${offence}`);

describe('in a world where everything goes wrong that can', () => {
  for (let first = 1; first <= SEEDS; first += SEEDS_A_TEST) {
    const last = first + SEEDS_A_TEST - 1;
    test(`nothing is lost, doubled or unbalanced, seeds ${first} to ${last}`, {
      timeout: 600_000,
    }, async () => {
      for (let seed = first; seed <= last; seed++) expect(told(await run(seed, STEPS))).toEqual([]);
    });
  }

  test('a seed gives the same world twice, bit for bit', { timeout: 120_000 }, async () => {
    const [once, again] = [await run(1_007, STEPS), await run(1_007, STEPS)];
    expect(again.trace).toEqual(once.trace);
    expect(again.fingerprint).toBe(once.fingerprint);
    expect(once.counts.fills).toBeGreaterThan(0);
  });

  for (const { seed, steps } of FOUND_SOMETHING) {
    test(`what seed ${seed} found stays mended`, { timeout: 120_000 }, async () => {
      expect(told(await run(seed, steps))).toEqual([]);
    });
  }
});

// One simulated world as a test runs it, in its own database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { withDatabase } from './database-of-seed.ts';
import { simulate, type Simulated } from './simulate.ts';

export const STEPS = 12;
const SEEDS_A_TEST = 6;

const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-simulation-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export function runSeed(seed: number, steps: number): Promise<Simulated> {
  return withDatabase(inject('database'), `simulated_${seed}_${process.pid}`, (records) =>
    simulate(seed, records, { steps, keys: path.join(folder, 'keys') }),
  );
}

/** Empty when everything held. */
export function failuresOf({ seed, trace, violations }: Simulated): string[] {
  return violations.map((violation) => `seed ${seed}, ${trace.length} steps, ${trace.at(-1)}: ${violation}`);
}

/** What the worlds are there for, and how often they met it. */
export type Met = Record<
  | 'shorts'
  | 'stopsOfShorts'
  | 'stopsFilled'
  | 'exitsWaited'
  | 'shortDividends'
  | 'lateDividends'
  | 'adjustments',
  number
>;

/** A test for every few of them, so that a run shows how far it is. Open ones have a test of their own. */
export function testSeeds(from: number, to: number): Met {
  const met = {
    shorts: 0,
    stopsOfShorts: 0,
    stopsFilled: 0,
    exitsWaited: 0,
    shortDividends: 0,
    lateDividends: 0,
    adjustments: 0,
  };
  for (let first = from; first <= to; first += SEEDS_A_TEST) {
    const last = Math.min(to, first + SEEDS_A_TEST - 1);
    test(`nothing is lost, doubled or unbalanced, seeds ${first} to ${last}`, {
      timeout: 600_000,
    }, async () => {
      for (let seed = first; seed <= last; seed++) {
        const simulated = await runSeed(seed, STEPS);
        expect(failuresOf(simulated)).toEqual([]);
        for (const what of Object.keys(met) as (keyof Met)[]) met[what] += simulated.counts[what];
      }
    });
  }
  return met;
}

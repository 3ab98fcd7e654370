// The sweep of 1,000 pairs in worker threads: one against two, from the question to the whole answer, planning included.
import { startSweepWorkers, type SweepWorkers } from '#trader/sweep/sweep-workers.ts';
import { check, EXPECTED, PAIR_SWEEP, sumUp } from './engine-runs.ts';
import { DAYS, walk } from './engine-workloads.ts';
import { median } from './measure.ts';

const ROUNDS = 15;
const WARM_UPS = 20;
/** As many sweeps as make the messages between the threads a small part. */
const REPEATS = 10;

const { template, sets, instrument, execution } = PAIR_SWEEP;
const task = { template, series: [walk(DAYS)], instrument, execution };
const repeated = Array.from({ length: REPEATS }, () => sets).flat();

const one = startSweepWorkers(1);
const two = startSweepWorkers(2);
for (const workers of [one, two]) {
  const outcome = await workers.run(task, sets);
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  check('the sweep in threads', sumUp(outcome.columns), EXPECTED.sweep);
  for (let i = 0; i < WARM_UPS; i++) await workers.run(task, sets);
}
await row('W3 in threads, 1,000 pairs × 2,520 bars', sets);
await row(`W3 ${REPEATS} times over, ${repeated.length.toLocaleString('en')} pairs × 2,520 bars`, repeated);
await Promise.all([one.close(), two.close()]);

async function row(name: string, asked: typeof sets): Promise<void> {
  const ones: number[] = [];
  const twos: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ones.push(await time(one, asked));
    twos.push(await time(two, asked));
  }
  const [first, second] = [median(ones), median(twos)];
  const best = (Math.min(...ones) / Math.min(...twos)).toFixed(2);
  console.log(`${name}, by the clock, planning included`);
  console.log(`  one worker ${first.toFixed(1)} ms, two workers ${second.toFixed(1)} ms`);
  console.log(
    `  two are ${(first / second).toFixed(2)} × one by the medians, ${best} × by the quickest of each`,
  );
}

async function time(workers: SweepWorkers, asked: typeof sets): Promise<number> {
  const from = performance.now();
  await workers.run(task, asked);
  return performance.now() - from;
}

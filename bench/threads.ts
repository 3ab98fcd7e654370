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

/** By the clock and, of the whole process, by the processor. */
type Taken = { readonly wallMs: number; readonly cpuMs: number };

async function row(name: string, asked: typeof sets): Promise<void> {
  const ones: Taken[] = [];
  const twos: Taken[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ones.push(await take(one, asked));
    twos.push(await take(two, asked));
  }
  const wall = (taken: readonly Taken[]) => median(taken.map(({ wallMs }) => wallMs));
  const cpu = (taken: readonly Taken[]) => median(taken.map(({ cpuMs }) => cpuMs));
  console.log(`${name}, from the question to the answer, planning included`);
  console.log(
    `  by the clock: one worker ${wall(ones).toFixed(1)} ms, two ${wall(twos).toFixed(1)} ms: ${(wall(ones) / wall(twos)).toFixed(2)} ×`,
  );
  console.log(
    `  processor time of all threads: one ${cpu(ones).toFixed(1)} ms, two ${cpu(twos).toFixed(1)} ms: with two free processors at most ${((2 * cpu(ones)) / cpu(twos)).toFixed(2)} ×`,
  );
}

async function take(workers: SweepWorkers, asked: typeof sets): Promise<Taken> {
  const before = process.cpuUsage();
  const from = performance.now();
  await workers.run(task, asked);
  const wallMs = performance.now() - from;
  const { user, system } = process.cpuUsage(before);
  return { wallMs, cpuMs: (user + system) / 1_000 };
}

// The sweep of 1,000 pairs in worker threads: one against two, from the question to the whole answer, planning included.
// Beside it two threads that share nothing and only count: what two are worth on this machine at that moment.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type SweepTask, type VariantRun, variantsOf } from '#results/sweep/run-variant.ts';
import { startSweepWorkers, type SweepWorkers } from '#results/sweep/sweep-workers.ts';
import { instant } from '#units/instant.ts';
import { PAIR_SETS as sets, pairInput } from './engine-runs.ts';
import { DAYS, walk } from './engine-workloads.ts';
import { median } from './measure.ts';

const WARM_UPS = 1;
const bars = walk(DAYS);
const input = pairInput(bars, 'weight');
const committedAt = instant(bars.closedAt.at(-1)!);
const task: SweepTask = { ...input, settings: { ...input.settings, committedAt } };

const one = startSweepWorkers(1);
const two = startSweepWorkers(2);
const alone = JSON.stringify(sets.map(variantsOf(task)).map(({ shown }) => shown));
for (const workers of [one, two]) {
  const runs: VariantRun[] = [];
  await workers.run(task, sets, (_, run) => void runs.push(run));
  if (JSON.stringify(runs.map(({ shown }) => shown)) !== alone)
    throw new Error('the threads give other figures');
  for (let i = 0; i < WARM_UPS; i++) await sweep(workers, sets)();
}
const counters = [startCounter(), startCounter()];
const count = (steps: readonly number[]) => Promise.all(steps.map((n, i) => counters[i]!(n)));

await row('W3 in threads, 1,000 pairs × 2,520 bars, figures included', 7, {
  alone: sweep(one, sets),
  shared: sweep(two, sets),
});
await row('threads that share nothing and only count', 25, {
  alone: () => count([500_000]),
  shared: () => count([250_000, 250_000]),
});
process.exit(0);

function sweep(workers: SweepWorkers, asked: typeof sets): () => Promise<void> {
  return () => workers.run(task, asked, () => undefined);
}

type Ways = { readonly alone: () => Promise<unknown>; readonly shared: () => Promise<unknown> };

/** In turn, so that whatever else the machine does meets both: the ratio is the median of the rounds' own ratios. */
async function row(name: string, rounds: number, { alone, shared }: Ways): Promise<void> {
  const ones: number[] = [];
  const twos: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ones.push(await take(alone));
    twos.push(await take(shared));
  }
  const ratios = ones.map((ms, i) => ms / twos[i]!).sort((a, b) => a - b);
  const at = (share: number) => ratios[Math.floor(share * rounds)]!.toFixed(2);
  console.log(name);
  console.log(
    `  by the clock: one ${median(ones).toFixed(1)} ms, two ${median(twos).toFixed(1)} ms: ${median(ratios).toFixed(2)} × (middle half of ${rounds} rounds: ${at(0.25)} to ${at(0.75)})`,
  );
}

async function take(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

function startCounter(): (steps: number) => Promise<unknown> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', (steps) => {
      let x = 0;
      for (let i = 0; i < steps; i++) x = (x * 1.5 + i) % 7;
      parentPort.postMessage(x);
    });`,
    { eval: true },
  );
  return (steps) => {
    const answered = once(worker, 'message');
    worker.postMessage(steps);
    return answered;
  };
}

// The sweep of 1,000 pairs in worker threads: one against two, from the request to the complete answer, planning
// included. The control is the same work in two processes that share nothing, against one: what two are worth on this
// machine at that moment. Each round runs all four, so that other load on the machine affects the sweep and the control
// alike.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type VariantRun, variantsOf } from '#results/sweep/run-variant.ts';
import { startSweepWorkers, type SweepWorkers } from '#results/sweep/sweep-workers.ts';
import { PAIR_SETS as sets } from './engine-runs.ts';
import { median } from './measure.ts';
import { sweepTask } from './sweep-task.ts';

const WARM_UPS = 2;
const ROUNDS = 15;
const task = sweepTask();
const one = startSweepWorkers(1);
const two = startSweepWorkers(2);
const alone = JSON.stringify(sets.map(variantsOf(task)).map(({ shown }) => shown));
for (const workers of [one, two]) {
  const runs: VariantRun[] = [];
  await workers.run(task, sets, (_, run) => void runs.push(run));
  if (JSON.stringify(runs.map(({ shown }) => shown)) !== alone)
    throw new Error('the threads give other figures');
}
const processes = [startProcess(), startProcess()];
const inProcesses = (shares: readonly number[]) =>
  Promise.all(shares.map((pairs, i) => processes[i]!(pairs)));

const WAYS = {
  oneThread: () => sweep(one),
  twoThreads: () => sweep(two),
  oneProcess: () => inProcesses([sets.length]),
  twoProcesses: () => inProcesses([sets.length / 2, sets.length / 2]),
};
type Way = keyof typeof WAYS;
const taken: Record<Way, number[]> = { oneThread: [], twoThreads: [], oneProcess: [], twoProcesses: [] };
for (let round = -WARM_UPS; round < ROUNDS; round++) {
  for (const way of Object.keys(WAYS) as Way[]) {
    const from = performance.now();
    await WAYS[way]();
    if (round >= 0) taken[way].push(performance.now() - from);
  }
}
const inThreads = report(
  'W3 in threads, 1,000 pairs × 2,520 bars, figures included',
  'oneThread',
  'twoThreads',
);
const control = report('control: the same in processes that share nothing', 'oneProcess', 'twoProcesses');
console.log(`the sweep reaches ${((inThreads / control) * 100).toFixed(0)} % of what two are worth here now`);
process.exit(0);

async function sweep(workers: SweepWorkers): Promise<void> {
  await workers.run(task, sets, () => undefined);
}

/** The median of the rounds' own ratios. */
function report(name: string, single: Way, double: Way): number {
  const ratios = taken[single].map((ms, round) => ms / taken[double][round]!).sort((a, b) => a - b);
  const at = (share: number) => ratios[Math.floor(share * ROUNDS)]!.toFixed(2);
  console.log(name);
  console.log(
    `  by the clock: one ${median(taken[single]).toFixed(1)} ms, two ${median(taken[double]).toFixed(1)} ms: ${median(ratios).toFixed(2)} × (middle half of ${ROUNDS} rounds: ${at(0.25)} to ${at(0.75)})`,
  );
  return median(ratios);
}

function startProcess(): (pairs: number) => Promise<unknown> {
  const child = fork(path.join(import.meta.dirname, 'sweep-process.ts'));
  return (pairs) => {
    const answered = once(child, 'message');
    child.send(pairs);
    return answered;
  };
}

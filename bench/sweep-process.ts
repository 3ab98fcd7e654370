// A process that shares nothing with any other: it runs the requested number of pairs of the sweep, one after the
// other.
import { variantsOf } from '#results/sweep/run-variant.ts';
import { PAIR_SETS } from './engine-runs.ts';
import { sweepTask } from './sweep-task.ts';

const task = sweepTask();

process.on('message', (pairs: number) => {
  const run = variantsOf(task);
  for (const set of PAIR_SETS.slice(0, pairs)) run(set);
  process.send?.('ran');
});

// One thread of a sweep: it plans and runs the chunks that it takes, until none is left or no more are wanted.
import { parentPort } from 'node:worker_threads';
import type { DefinitionError } from '#engine/strategy/reader.ts';
import { errorOfSet } from '#engine/sweep/plan-sweep.ts';
import { Sweep } from '#engine/sweep/sweep.ts';
import { FeatureIndex, SweepPlanner } from '#engine/sweep/sweep-planner.ts';
import { COUNTERS, type FromWorker, type ToWorker } from './sweep-messages.ts';

const port = parentPort;
if (port === null) throw new Error('a sweep worker is started as a worker thread');
const say = (message: FromWorker) => port.postMessage(message);

port.on('message', (asked: ToWorker) => {
  const { sweep, counters } = asked;
  try {
    const errors = runChunks(asked);
    if (errors.length > 0) say({ sweep, type: 'refused', errors });
  } catch (error) {
    Atomics.store(counters, COUNTERS.stop, 1);
    say({ sweep, type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
  say({ sweep, type: 'ended' });
});

/** What does not parse; then nobody takes a further chunk. */
function runChunks(asked: ToWorker): DefinitionError[] {
  const { sweep, task, sets, order, chunk, reports, counters, columns } = asked;
  const { template, instrument, execution } = task;
  const features = new FeatureIndex();
  const series = new Map(task.series.map((bars) => [bars.symbol, bars]));
  const planner = new SweepPlanner(template, sets.paths, features);
  const engine = new Sweep({ features: features.list, series, instrument, execution });
  while (Atomics.load(counters, COUNTERS.stop) === 0) {
    const from = Atomics.add(counters, COUNTERS.next, chunk);
    if (from >= order.length) break;
    const part = order.subarray(from, from + chunk);
    for (const set of part) {
      const planned = planner.plan(sets.rows, set);
      if (planned.ok) engine.runInto(columns, set, planned.variant);
      else {
        Atomics.store(counters, COUNTERS.stop, 1);
        return planned.errors.map((error) => errorOfSet(error, set));
      }
    }
    Atomics.add(counters, COUNTERS.done, part.length);
    if (reports) say({ sweep, type: 'passed' });
  }
  return [];
}

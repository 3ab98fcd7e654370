// One thread of a sweep: it plans and runs the chunks that it takes, until none is left or no more are wanted.
import { parentPort } from 'node:worker_threads';
import type { DefinitionError } from '#engine/strategy/reader.ts';
import { errorOfSet } from '#engine/sweep/plan-sweep.ts';
import { Sweep } from '#engine/sweep/sweep.ts';
import { FeatureIndex, SweepPlanner, type SweepVariant } from '#engine/sweep/sweep-planner.ts';
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
function runChunks({ sweep, task, sets, count, chunk, counters, columns }: ToWorker): DefinitionError[] {
  const { template, instrument, execution } = task;
  const features = new FeatureIndex();
  const series = new Map(task.series.map((bars) => [bars.symbol, bars]));
  const planner = new SweepPlanner(template, sets.paths, features);
  const engine = new Sweep({ features: features.list, series, instrument, execution });
  while (Atomics.load(counters, COUNTERS.stop) === 0) {
    const from = Atomics.add(counters, COUNTERS.next, chunk);
    if (from >= count) break;
    const to = Math.min(count, from + chunk);
    const variants: SweepVariant[] = [];
    const errors: DefinitionError[] = [];
    for (let i = from; i < to; i++) {
      const planned = planner.plan(sets.rows, i);
      if (planned.ok) variants.push(planned.variant);
      else errors.push(...planned.errors.map((error) => errorOfSet(error, i)));
    }
    if (errors.length > 0) {
      Atomics.store(counters, COUNTERS.stop, 1);
      return errors;
    }
    engine.runInto(columns, from, variants);
    Atomics.add(counters, COUNTERS.done, to - from);
    say({ sweep, type: 'passed' });
  }
  return [];
}

// One thread of a sweep: it runs the chunks that it takes, until none is left or no more are wanted.
import { parentPort } from 'node:worker_threads';
import { VariantRunner } from '#engine/backtest/variants.ts';
import { deepestFall } from '#engine/performance/drawdown.ts';
import type { DefinitionError } from '#engine/strategy/reader.ts';
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
  const { sweep, task, sets, chunk, reports, counters, columns } = asked;
  const { template, settings } = task;
  const series = new Map(task.series.map((bars) => [bars.symbol, bars]));
  const instruments = new Map(task.instruments.map((one) => [one.symbol, one]));
  const runner = new VariantRunner(template, { instruments, series, settings });
  while (Atomics.load(counters, COUNTERS.stop) === 0) {
    const from = Atomics.add(counters, COUNTERS.next, chunk);
    if (from >= sets.length) break;
    const to = Math.min(sets.length, from + chunk);
    for (let set = from; set < to; set++) {
      const run = runner.run(sets[set]!);
      if (!run.ok) {
        Atomics.store(counters, COUNTERS.stop, 1);
        return run.errors.map(({ path, message }) => ({ path: `sets.${set}.${path}`, message }));
      }
      const { counts, equity, finalEquity } = run.result;
      columns.fills[set] = counts.fills;
      columns.trades[set] = counts.trades;
      columns.finalEquity[set] = finalEquity;
      columns.maxDrawdown[set] = deepestFall(equity);
    }
    Atomics.add(counters, COUNTERS.done, to - from);
    if (reports) say({ sweep, type: 'passed' });
  }
  return [];
}

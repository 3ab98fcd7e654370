// The sets of a sweep in threads of their own. The result is the same for every number of threads.
import { Worker } from 'node:worker_threads';
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { ParameterSet } from '#engine/backtest/variants.ts';
import type { SweepTask, VariantRun } from './run-variant.ts';
import type { FromWorker, ToWorker } from './sweep-messages.ts';

export type SweepWorkers = {
  /**
   * One sweep at a time. `onRun` hears of each set in order, one after the other. Throws when a thread dies or
   * a set fails otherwise than by being refused.
   */
  run(
    task: SweepTask,
    sets: readonly ParameterSet[],
    onRun: (set: number, run: VariantRun) => void | Promise<void>,
  ): Promise<void>;
  close(): Promise<void>;
};

/** So that no thread waits long for the last one. */
const CHUNKS_EACH = 16;
/** So that progress is seen to move. */
const CHUNK_MAX = 8;

export function startSweepWorkers(count: number): SweepWorkers {
  const workers = Array.from(
    { length: count },
    () => new Worker(new URL('./sweep-worker.ts', import.meta.url)),
  );
  let sweeps = 0;
  return {
    async run(task, sets, onRun) {
      const asked: ToWorker = {
        sweep: ++sweeps,
        task: { ...task, series: sharedSeries(task.series) },
        sets,
        chunk: Math.max(1, Math.min(CHUNK_MAX, Math.floor(sets.length / (count * CHUNKS_EACH)))),
        next: new Int32Array(new SharedArrayBuffer(4)),
      };
      const early = new Map<number, readonly VariantRun[]>();
      let set = 0;
      let heard: Promise<unknown> = Promise.resolve();
      const hear = (from: number, ran: readonly VariantRun[]) => {
        early.set(from, ran);
        heard = heard.then(async () => {
          for (let runs = early.get(set); runs !== undefined; runs = early.get(set)) {
            early.delete(set);
            for (const run of runs) await onRun(set++, run);
          }
        });
        // Its failure is thrown at the end.
        heard.catch(() => undefined);
      };
      await Promise.all(workers.map((worker) => runShare(worker, asked, hear)));
      await heard;
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** Until this thread finds no further set. */
function runShare(
  worker: Worker,
  asked: ToWorker,
  hear: (from: number, runs: readonly VariantRun[]) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onMessage = (message: FromWorker) => {
    if (message.sweep !== asked.sweep) return;
    if (message.type === 'ran') hear(message.from, message.runs);
    else if (message.type === 'ended') resolve();
    else reject(message.error);
  };
  const onExit = () => reject(new Error('a sweep worker ended before its work did'));
  worker.on('message', onMessage).on('error', reject).on('exit', onExit);
  worker.postMessage(asked);
  return promise.finally(() => worker.off('message', onMessage).off('error', reject).off('exit', onExit));
}

/** Long histories are copied once, not once for each thread. */
function sharedSeries(series: SweepTask['series']): SweepTask['series'] {
  return new Map([...series].map(([symbol, bars]) => [symbol, { ...bars, ...sharedColumns(bars) }]));
}

function sharedColumns({ closedAt, open, high, low, close, volume }: BarSeries) {
  const shared = (column: Float64Array) => {
    const copy = new Float64Array(new SharedArrayBuffer(column.byteLength));
    copy.set(column);
    return copy;
  };
  return {
    closedAt: shared(closedAt),
    open: shared(open),
    high: shared(high),
    low: shared(low),
    close: shared(close),
    volume: shared(volume),
  };
}

// Sweeps in threads of their own, so that a long one never holds up the thread that serves or trades. Numbers go out and
// results come back through shared memory; the result is the same for every number of workers.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { DefinitionError } from '#engine/strategy/reader.ts';
import type { ParameterSet } from '#engine/backtest/variants.ts';
import {
  COUNTERS,
  type FromWorker,
  type SweepColumns,
  type SweepTask,
  type ToWorker,
} from './sweep-messages.ts';

export type SweepOutcome =
  | { readonly kind: 'done'; readonly columns: SweepColumns }
  | { readonly kind: 'cancelled'; readonly done: number }
  | { readonly kind: 'refused'; readonly errors: readonly DefinitionError[] };

export type SweepOptions = {
  /** Called as chunks are done with how many sets that makes. */
  readonly onProgress?: (done: number, of: number) => void;
  /** Once aborted, no further chunk is begun. */
  readonly signal?: AbortSignal;
};

export type SweepWorkers = {
  /** One sweep at a time; a second one waits for the first. Throws when a worker dies or the bars cannot be run. */
  run(task: SweepTask, sets: readonly ParameterSet[], options?: SweepOptions): Promise<SweepOutcome>;
  close(): Promise<void>;
};

/** Starts the workers; one less than there are processors, unless told otherwise. */
export function startSweepWorkers(count = Math.max(1, availableParallelism() - 1)): SweepWorkers {
  const workers = Array.from(
    { length: count },
    () => new Worker(new URL('./sweep-worker.ts', import.meta.url)),
  );
  for (const worker of workers) worker.unref();
  let last: Promise<unknown> = Promise.resolve();
  let sweeps = 0;
  return {
    run(task, sets, options = {}) {
      const next = last.then(() => {
        const reports = options.onProgress !== undefined;
        const asked = askedOf(task, sets, { sweep: ++sweeps, workers: workers.length, reports });
        return new RunningSweep(workers, asked, options).outcome;
      });
      last = next.catch(() => undefined);
      return next;
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

function askedOf(
  task: SweepTask,
  sets: readonly ParameterSet[],
  { sweep, workers, reports }: Pick<ToWorker, 'sweep' | 'reports'> & { readonly workers: number },
): ToWorker {
  const count = sets.length;
  const floats = (numbers: number) => new Float64Array(new SharedArrayBuffer(numbers * 8));
  const wholes = (numbers: number) => new Int32Array(new SharedArrayBuffer(numbers * 4));
  return {
    sweep,
    task: { ...task, series: task.series.map((bars) => ({ ...bars, ...sharedColumns(bars, floats) })) },
    sets,
    reports,
    chunk: Math.max(1, Math.min(CHUNK_MAX, Math.ceil(count / (workers * CHUNKS_EACH)))),
    counters: wholes(Object.keys(COUNTERS).length),
    columns: {
      fills: wholes(count),
      trades: wholes(count),
      finalEquity: floats(count),
      maxDrawdown: floats(count),
    },
  };
}

/** Long histories are copied once, not once for each worker. */
function sharedColumns(
  { closedAt, open, high, low, close, volume }: SweepTask['series'][number],
  room: (numbers: number) => Float64Array,
) {
  const shared = (column: Float64Array) => {
    const copy = room(column.length);
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

class RunningSweep {
  readonly outcome: Promise<SweepOutcome>;
  readonly #asked: ToWorker;
  readonly #options: SweepOptions;
  readonly #finish: { done: (outcome: SweepOutcome) => void; fail: (error: Error) => void };
  #busy: number;
  #errors: readonly DefinitionError[] = [];

  constructor(workers: readonly Worker[], asked: ToWorker, options: SweepOptions) {
    this.#asked = asked;
    this.#options = options;
    this.#busy = workers.length;
    const { promise, resolve, reject } = Promise.withResolvers<SweepOutcome>();
    this.outcome = promise;
    this.#finish = { done: resolve, fail: reject };
    const stop = () => Atomics.store(asked.counters, COUNTERS.stop, 1);
    if (options.signal?.aborted) stop();
    options.signal?.addEventListener('abort', stop);
    const listeners = workers.map((worker) => this.#listen(worker));
    const stopListening = () => {
      options.signal?.removeEventListener('abort', stop);
      for (const end of listeners) end();
    };
    promise.then(stopListening, stopListening);
    for (const worker of workers) worker.postMessage(asked);
  }

  #listen(worker: Worker): () => void {
    const onMessage = (message: FromWorker) => this.#take(message);
    const onError = (error: Error) => this.#finish.fail(error);
    const onExit = () => this.#finish.fail(new Error('a sweep worker ended before its work did'));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.ref();
    return () => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      worker.unref();
    };
  }

  #take(message: FromWorker): void {
    const { sweep, counters, sets } = this.#asked;
    if (message.sweep !== sweep) return;
    if (message.type === 'failed') this.#finish.fail(new Error(message.message));
    else if (message.type === 'refused') this.#errors = message.errors;
    else if (message.type === 'ended') {
      if (--this.#busy === 0) this.#end();
    } else this.#options.onProgress?.(Atomics.load(counters, COUNTERS.done), sets.length);
  }

  #end(): void {
    const { counters, sets, columns } = this.#asked;
    const done = Atomics.load(counters, COUNTERS.done);
    if (this.#errors.length > 0) this.#finish.done({ kind: 'refused', errors: this.#errors });
    else if (done < sets.length) this.#finish.done({ kind: 'cancelled', done });
    else this.#finish.done({ kind: 'done', columns: ownColumns(columns) });
  }
}

/** A copy that no thread writes to. */
function ownColumns({ fills, trades, finalEquity, maxDrawdown }: SweepColumns): SweepColumns {
  return {
    fills: new Int32Array(fills),
    trades: new Int32Array(trades),
    finalEquity: new Float64Array(finalEquity),
    maxDrawdown: new Float64Array(maxDrawdown),
  };
}

/** Enough that no worker waits long for the last one; few enough that messages cost little. */
const CHUNKS_EACH = 8;
/** So that a cancelled sweep stops soon and progress is seen to move. */
const CHUNK_MAX = 250;

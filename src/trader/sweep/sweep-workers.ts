// Sweeps in threads of their own, so that a long one never holds up the thread that serves or trades. Chunks go to
// whichever worker is free; the result is the same for every number of workers.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { DefinitionError } from '#engine/strategy/reader.ts';
import type { ParameterSet } from '#engine/sweep/variant-definition.ts';
import { emptyColumns, type SweepColumns } from '#engine/sweep/sweep.ts';
import type { FromWorker, SweepTask, ToWorker } from './sweep-messages.ts';

export type SweepOutcome =
  | { readonly kind: 'done'; readonly columns: SweepColumns }
  | { readonly kind: 'cancelled'; readonly done: number }
  | { readonly kind: 'refused'; readonly errors: readonly DefinitionError[] };

export type SweepOptions = {
  /** Called after each chunk with how many sets are done. */
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
      const next = last.then(() => new RunningSweep(workers, ++sweeps, { task, sets, options }).outcome);
      last = next.catch(() => undefined);
      return next;
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

type Asked = {
  readonly task: SweepTask;
  readonly sets: readonly ParameterSet[];
  readonly options: SweepOptions;
};

class RunningSweep {
  readonly outcome: Promise<SweepOutcome>;
  readonly #sweep: number;
  readonly #asked: Asked;
  readonly #columns: SweepColumns;
  readonly #chunk: number;
  #finish: { done: (outcome: SweepOutcome) => void; fail: (error: Error) => void };
  #next = 0;
  #done = 0;
  #busy = 0;
  #errors: readonly DefinitionError[] = [];

  constructor(workers: readonly Worker[], sweep: number, asked: Asked) {
    this.#sweep = sweep;
    this.#asked = asked;
    this.#columns = emptyColumns(asked.sets.length);
    this.#chunk = Math.min(CHUNK_MAX, Math.ceil(asked.sets.length / (workers.length * CHUNKS_EACH)) || 1);
    const { promise, resolve, reject } = Promise.withResolvers<SweepOutcome>();
    this.outcome = promise;
    this.#finish = { done: resolve, fail: reject };
    this.#start(workers);
  }

  #start(workers: readonly Worker[]): void {
    const listeners = workers.map((worker) => {
      const onMessage = (message: FromWorker) => this.#take(worker, message);
      const onError = (error: Error) => this.#finish.fail(error);
      const onExit = () => this.#finish.fail(new Error('a sweep worker ended before its work did'));
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      worker.ref();
      return () => {
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        worker.unref();
      };
    });
    const stopListening = () => {
      for (const stop of listeners) stop();
    };
    this.outcome.then(stopListening, stopListening);
    for (const worker of workers) {
      worker.postMessage({ type: 'begin', sweep: this.#sweep, task: this.#asked.task } satisfies ToWorker);
      this.#handOut(worker);
    }
    if (this.#busy === 0) this.#end();
  }

  #handOut(worker: Worker): void {
    const { sets, options } = this.#asked;
    if (this.#next >= sets.length || options.signal?.aborted || this.#errors.length > 0) return;
    const from = this.#next;
    this.#next = Math.min(sets.length, from + this.#chunk);
    this.#busy++;
    const chunk = sets.slice(from, this.#next);
    worker.postMessage({ type: 'chunk', sweep: this.#sweep, from, sets: chunk } satisfies ToWorker);
  }

  #take(worker: Worker, message: FromWorker): void {
    if (message.sweep !== this.#sweep) return;
    this.#busy--;
    if (message.type === 'failed') return this.#finish.fail(new Error(message.message));
    if (message.type === 'refused')
      this.#errors = message.errors.map((error) => inWhole(error, message.from));
    else {
      const { fills, trades, finalEquity, maxDrawdown } = message.columns;
      this.#columns.fills.set(fills, message.from);
      this.#columns.trades.set(trades, message.from);
      this.#columns.finalEquity.set(finalEquity, message.from);
      this.#columns.maxDrawdown.set(maxDrawdown, message.from);
      this.#done += fills.length;
      this.#asked.options.onProgress?.(this.#done, this.#asked.sets.length);
    }
    this.#handOut(worker);
    if (this.#busy === 0) this.#end();
  }

  #end(): void {
    const { sets, options } = this.#asked;
    if (this.#errors.length > 0) this.#finish.done({ kind: 'refused', errors: this.#errors });
    else if (this.#done < sets.length && options.signal?.aborted)
      this.#finish.done({ kind: 'cancelled', done: this.#done });
    else this.#finish.done({ kind: 'done', columns: this.#columns });
  }
}

/** A chunk counts its sets from 0. */
function inWhole({ path, message }: DefinitionError, from: number): DefinitionError {
  return { path: path.replace(/^sets\.(\d+)/, (_, set: string) => `sets.${from + Number(set)}`), message };
}

/** Enough that no worker waits long for the last one; few enough that messages cost little. */
const CHUNKS_EACH = 4;
/** So that a cancelled sweep stops soon and progress is seen to move. */
const CHUNK_MAX = 250;

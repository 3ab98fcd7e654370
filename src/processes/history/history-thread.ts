// Reads the market history in one thread that starts with the first question and ends a while after the last answer.
import { Worker } from 'node:worker_threads';
import type { HistoryAnswer, HistorySeries, StoredSeries } from '#ports/market-history.ts';
import type { FromHistory, ToHistory } from './history-messages.ts';

export function historyThread(dataDir: string): HistorySeries {
  const thread = new HistoryThread(dataDir);
  return (key, files, range) => thread.ask({ key, files, range });
}

type Waiting = ReturnType<typeof Promise.withResolvers<HistoryAnswer<StoredSeries>>>;

class HistoryThread {
  readonly #dataDir: string;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #count = 0;
  readonly #waiting = new Map<number, Waiting>();

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  ask(question: Omit<ToHistory, 'id'>): Promise<HistoryAnswer<StoredSeries>> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#launch();
    const id = ++this.#count;
    const waiting: Waiting = Promise.withResolvers();
    this.#waiting.set(id, waiting);
    this.#worker.postMessage({ ...question, id } satisfies ToHistory);
    return waiting.promise;
  }

  #launch(): Worker {
    const worker = new Worker(new URL('./read-history.ts', import.meta.url), { workerData: this.#dataDir });
    worker.on('message', (message: FromHistory) => {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if ('failure' in message) waiting?.reject(message.failure);
      else waiting?.resolve(message.answer);
      if (this.#waiting.size === 0) this.#idle = setTimeout(() => this.#close(worker), IDLE_MS).unref();
    });
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      for (const waiting of this.#waiting.values())
        waiting.reject(new Error('the thread of the history ended'));
      this.#waiting.clear();
    });
    // It must not keep a process alive that has nothing else to do.
    worker.unref();
    return worker;
  }

  /** The next question must not go to a thread that is about to end. */
  #close(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null;
    void worker.terminate();
  }
}

const IDLE_MS = 5_000;

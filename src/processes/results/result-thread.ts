// One thread renews published results. It lives while there is work and a little longer, because an idle thread holds
// the memory of its last job.
import { Worker } from 'node:worker_threads';
import type { JobHandler } from '#records/jobs/job-worker.ts';
import type { ClockReading } from '../wiring/world.ts';
import type { FromResults, ToResults } from './result-messages.ts';

const IDLE_MS = 5_000;
/** A thread without limits lets its garbage grow to several times what it needs. */
const LIMITS = { maxOldGenerationSizeMb: 320, maxYoungGenerationSizeMb: 8 };

export function resultHandler(readClock: () => Promise<ClockReading>): JobHandler<'result-renewals'> {
  const thread = new ResultThread();
  return async ({ data, lost, stopping }) => {
    const ended = await thread.work({ ...data, clock: await readClock() }, AbortSignal.any([lost, stopping]));
    return ended === 'stopped' && stopping.aborted ? { again: { afterSeconds: 0 } } : 'done';
  };
}

class ResultThread {
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;

  /** One at a time. Throws what the work threw. */
  async work(asked: ToResults, signal: AbortSignal): Promise<'done' | 'stopped'> {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#launch();
    const { promise, resolve, reject } = Promise.withResolvers<'done' | 'stopped'>();
    const onMessage = ({ failure }: FromResults) => (failure === null ? resolve('done') : reject(failure));
    const onExit = () => reject(new Error('the thread that renews results ended without a word'));
    const onAbort = () => resolve('stopped');
    worker.on('message', onMessage).on('error', reject).on('exit', onExit);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else worker.postMessage(asked);
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      worker.off('message', onMessage).off('error', reject).off('exit', onExit);
      if (signal.aborted) await this.#close(worker);
      else this.#idle = setTimeout(() => void this.#close(worker), IDLE_MS);
    }
  }

  #launch(): Worker {
    const worker = new Worker(new URL('./renew-results.ts', import.meta.url), { resourceLimits: LIMITS });
    // One that dies between two jobs is started again for the next.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    this.#worker = worker;
    return worker;
  }

  /** The next work must not go to a thread that is about to end. */
  async #close(worker: Worker): Promise<void> {
    if (this.#worker === worker) this.#worker = null;
    await worker.terminate();
  }
}

// Carries out the backtests and sweeps that people ask for, each in a thread of its own. This side only starts, follows
// and ends threads, so the process that it lives in stays free.
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import {
  type BacktestJob,
  beatBacktestJob,
  claimBacktestJob,
  endBacktestJob,
  type JobEnd,
  recoverBacktestJobs,
  returnBacktestJob,
} from '#records/results/backtest-jobs.ts';
import type { Database } from '#records/postgres/database.ts';
import type { BacktestTask, FromBacktest } from './backtest-messages.ts';

export type BacktestJobs = { stop(): Promise<void> };

export type BacktestJobsOptions = Pick<BacktestTask, 'databaseUrl' | 'marketFeedUrl'> & {
  readonly database: Database;
  readonly onError: (error: unknown) => void;
  /** Ended with a sentence after this long. */
  readonly longestMs?: number;
};

/** So that a cancel is heard well within a second. */
const LOOK_EVERY_MS = 250;
const LONGEST_MS = 5 * 60_000;
/** The process of a job that is silent for this long is taken for dead. */
const SILENT_SECONDS = 15;
const RECOVER_EVERY_MS = 5_000;
/** One processor stays with trading and serving. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));

export function startBacktestJobs(options: BacktestJobsOptions): BacktestJobs {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const work = async () => {
    let recoverAt = 0;
    while (!stopping.signal.aborted) {
      try {
        if (performance.now() >= recoverAt) {
          await recoverBacktestJobs(options.database, SILENT_SECONDS);
          recoverAt = performance.now() + RECOVER_EVERY_MS;
        }
        const job = running.size < THREADS ? await claimBacktestJob(options.database) : undefined;
        if (job !== undefined) {
          const one = carryOut(job, options, stopping.signal).catch(options.onError);
          running.add(one);
          void one.finally(() => running.delete(one));
          continue;
        }
      } catch (error) {
        options.onError(error);
      }
      await pause(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await Promise.all(running);
  };
  const worked = work();
  return {
    stop: async () => {
      stopping.abort();
      await worked;
    },
  };
}

async function carryOut(job: BacktestJob, options: BacktestJobsOptions, stop: AbortSignal): Promise<void> {
  const { database, databaseUrl, marketFeedUrl } = options;
  const thread = new BacktestThread({ job: plain(job), databaseUrl, marketFeedUrl });
  const endsAt = performance.now() + (options.longestMs ?? LONGEST_MS);
  const end = await follow().finally(() => thread.close());
  if (end === null) await returnBacktestJob(database, job.id);
  else await endBacktestJob(database, job.id, end);

  async function follow(): Promise<JobEnd | null> {
    for (;;) {
      await Promise.race([
        thread.ended,
        pause(LOOK_EVERY_MS, undefined, { signal: stop }).catch(() => undefined),
      ]);
      if (thread.end !== null) return explained(thread.end, options.onError);
      if (stop.aborted) return null;
      if (!(await beatBacktestJob(database, job.id, thread.reached))) return { status: 'cancelled' };
      if (performance.now() >= endsAt) return { status: 'failed', message: TOO_LONG };
    }
  }
}

type ThreadEnd =
  | Exclude<FromBacktest, { type: 'reached' }>
  | { readonly type: 'died'; readonly error: unknown };

class BacktestThread {
  reached: { readonly progress: number; readonly message: string | null } = { progress: 0, message: null };
  end: ThreadEnd | null = null;
  readonly ended: Promise<void>;
  readonly #worker: Worker;

  constructor(workerData: BacktestTask) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    const finish = (end: ThreadEnd) => {
      this.end ??= end;
      resolve();
    };
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB };
    this.#worker = new Worker(new URL('./run-backtest.ts', import.meta.url), { workerData, resourceLimits });
    this.#worker.on('message', (message: FromBacktest) => {
      if (message.type === 'reached') this.reached = message;
      else finish(message);
    });
    this.#worker.on('error', (error) => finish({ type: 'died', error }));
    this.#worker.on('exit', () =>
      finish({ type: 'died', error: new Error('a backtest ended without a word') }),
    );
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

function explained(end: ThreadEnd, onError: (error: unknown) => void): JobEnd {
  if (end.type === 'done') return { status: 'done', result: end.result };
  if (end.type === 'refused') return { status: 'failed', message: end.message };
  onError(end.error);
  return { status: 'failed', message: OUR_FAULT };
}

function plain({ versionId, userId, kind, parameters }: BacktestJob): BacktestTask['job'] {
  return { versionId, userId, kind, parameters };
}

const MEMORY_MB = 1_024;
const TOO_LONG = 'It took longer than five minutes and was ended. Try fewer sets or fewer instruments.';
const OUR_FAULT = 'It failed on our side. Please try again; nothing was changed.';

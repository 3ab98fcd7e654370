// Runs the backtests, sweeps and attacks that users request, each in its own thread. This side only starts, monitors and ends
// threads.
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { ClaimedJob, JobHandler, JobOutcome } from '#records/jobs/job-worker.ts';
import type { Database } from '#records/postgres/database.ts';
import {
  type BacktestJob,
  type BacktestReached,
  beginBacktestJob,
  endBacktestJob,
  type JobEnd,
  reportBacktestProgress,
  requeueBacktestJob,
} from '#records/results/backtest-jobs.ts';
import type { ClockReading } from '../wiring/world.ts';
import type { BacktestTask, FromBacktest } from './backtest-messages.ts';

export type BacktestOptions = Pick<BacktestTask, 'databaseUrl' | 'dataDir' | 'feePercent'> & {
  readonly database: Database;
  readonly readClock: () => Promise<ClockReading>;
  /** Ended with a sentence after this long. */
  readonly longestMs?: number;
};

/** Short enough to notice a cancel well within a second. */
const LOOK_EVERY_MS = 250;
const LONGEST_MS = 5 * 60_000;
/** How many workers a job may kill before it fails. */
const ATTEMPTS_MAX = 2;
const BUSY_AGAIN_SECONDS = 1;

export function backtestHandler(options: BacktestOptions): JobHandler<'backtests'> {
  const { database } = options;
  return async (claimed) => {
    const { backtestId } = claimed.data;
    if (claimed.attempt > ATTEMPTS_MAX) {
      await endBacktestJob(database, backtestId, { status: 'failed', message: GIVEN_UP });
      return { deadLetter: 'worker_lost' };
    }
    const job = await beginBacktestJob(database, backtestId);
    if (job === 'over') return 'done';
    if (job === 'busy') return { again: { afterSeconds: BUSY_AGAIN_SECONDS } };
    return carryOut(job, claimed, options);
  };
}

async function carryOut(
  job: BacktestJob,
  claimed: ClaimedJob<'backtests'>,
  options: BacktestOptions,
): Promise<JobOutcome> {
  const { database, databaseUrl, dataDir, feePercent, readClock } = options;
  const clock = await readClock();
  const thread = new BacktestThread({ job: taskOf(job), databaseUrl, clock, dataDir, feePercent });
  const ended = await follow(job, thread, { ...options, claimed }).finally(() => thread.close());
  if (ended === 'lost') return 'done';
  if (ended === 'stopping') {
    await requeueBacktestJob(database, job.id);
    return { again: { afterSeconds: 0 } };
  }
  if (ended.type !== 'died') {
    await endBacktestJob(database, job.id, endOf(ended));
    return 'done';
  }
  await endBacktestJob(database, job.id, { status: 'failed', message: OUR_FAULT });
  return { deadLetter: 'failed', detail: String(ended.error) };
}

type Followed = BacktestOptions & { readonly claimed: ClaimedJob<'backtests'> };

async function follow(
  job: BacktestJob,
  thread: BacktestThread,
  { database, longestMs = LONGEST_MS, claimed: { lost, stopping } }: Followed,
): Promise<ThreadEnd | 'lost' | 'stopping'> {
  const endsAt = performance.now() + longestMs;
  const signal = AbortSignal.any([lost, stopping]);
  for (;;) {
    await Promise.race([thread.ended, pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)]);
    if (lost.aborted) return 'lost';
    if (thread.end !== null) return thread.end;
    if (stopping.aborted) return 'stopping';
    if (!(await reportBacktestProgress(database, job.id, thread.reached))) return { type: 'cancelled' };
    if (performance.now() >= endsAt) return { type: 'refused', message: TOO_LONG };
  }
}

type ThreadEnd =
  | Exclude<FromBacktest, { type: 'reached' }>
  | { readonly type: 'cancelled' }
  | { readonly type: 'died'; readonly error: unknown };

function endOf(end: Exclude<ThreadEnd, { type: 'died' }>): JobEnd {
  if (end.type === 'done') return { status: 'done', result: end.result };
  return end.type === 'cancelled' ? { status: 'cancelled' } : { status: 'failed', message: end.message };
}

class BacktestThread {
  reached: BacktestReached = { progress: 0, message: null, partial: null };
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
      // The line that was drawn last stays until the end.
      if (message.type === 'reached') this.reached = { partial: this.reached.partial, ...message };
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

function taskOf({ id, versionId, userId, kind, parameters, search }: BacktestJob): BacktestTask['job'] {
  return { id, versionId, userId, kind, parameters, search };
}

const MEMORY_MB = 1_024;
const TOO_LONG = 'It took longer than five minutes and was ended. Try fewer sets or fewer instruments.';
const OUR_FAULT = 'It failed on our side. Please try again; nothing was changed.';
const GIVEN_UP =
  'It was interrupted twice while it ran. Please start it again, with fewer sets if it is a sweep.';

// One process of the job fleet. Several run on any hosts: each job is claimed by one of them.
import type { JobWithMetadata, JobResult } from 'pg-boss';
import type { JobFailure } from '#rules/operations/dead-letter.ts';
import type { Database } from '../postgres/database.ts';
import { bossOn } from './boss-on.ts';
import { DUE_WORK, type JobData, type QueueName } from './queues.ts';
import { sendJobs } from './send-jobs.ts';

export type ClaimedJob<Name extends QueueName> = {
  readonly data: JobData[Name];
  /** 1 the first time. */
  readonly attempt: number;
  /** A failure of this attempt is final. */
  readonly isLast: boolean;
  /** Aborted when the claim is lost: another worker has the job, and nothing may be written for it. */
  readonly lost: AbortSignal;
  /** Aborted when this process shuts down: long work gives its job back. */
  readonly stopping: AbortSignal;
};

/**
 * retry: this attempt failed, and the queue retries after a pause; so does a throw, which is a bug.
 * again: given back, to start over after that delay without counting as a failure.
 */
export type JobOutcome =
  | 'done'
  | { readonly retry: string }
  | { readonly again: { readonly afterSeconds: number } }
  | { readonly deadLetter: JobFailure; readonly detail?: string };

export type JobHandler<Name extends QueueName> = (job: ClaimedJob<Name>) => Promise<JobOutcome>;

type WorkOptions = {
  /** Jobs at once in this process. */
  readonly atOnce?: number;
  /** For many short jobs: they are claimed together, and the next batch as soon as all have ended. */
  readonly inBatches?: boolean;
  /** So many batches are worked on at once: one with a slow job holds nobody else up. */
  readonly besideEachOther?: number;
  /** Concurrent jobs of one group in the whole fleet. */
  readonly ofGroup?: number;
  readonly lookEverySeconds?: number;
};

export type JobWorker = {
  work<Name extends QueueName>(queue: Name, options: WorkOptions, handler: JobHandler<Name>): Promise<void>;
  /** Waits for the running jobs. */
  stop(): Promise<void>;
};

type JobWorkerOptions = {
  readonly database: Database;
  readonly onError: (error: unknown) => void;
};

const LOOK_EVERY_SECONDS = 0.5;
/** Interval of the check for dead workers; the library's default of a minute would delay a takeover by as long. */
const SUPERVISE_SECONDS = 2;
const HEARTBEAT_REFRESH_SECONDS = 3;
const STOP_WITHIN_MS = 15_000;

export async function startJobWorker({ database, onError }: JobWorkerOptions): Promise<JobWorker> {
  const stopping = new AbortController();
  const boss = bossOn(database, {
    supervise: true,
    schedule: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  boss.on('error', onError);
  await boss.start();
  for (const [work, cron] of Object.entries(DUE_WORK))
    await boss.schedule('due-work', cron, { work }, { key: work });

  async function settle<Name extends QueueName>(
    queue: Name,
    job: JobWithMetadata<JobData[Name]>,
    handler: JobHandler<Name>,
  ): Promise<JobResult> {
    const { id, data, retryCount, retryLimit, signal } = job;
    const outcome = await handler({
      data,
      attempt: retryCount + 1,
      isLast: retryCount >= retryLimit,
      lost: signal,
      stopping: stopping.signal,
    });
    if (outcome === 'done') return { id, status: 'completed' };
    if ('deadLetter' in outcome) {
      const { deadLetter: code, detail } = outcome;
      return { id, status: 'deadletter', output: { code, detail: detail ?? null } };
    }
    if ('retry' in outcome) return { id, status: 'failed', output: { detail: outcome.retry } };
    await giveBack(database, { queue, job, afterSeconds: outcome.again.afterSeconds });
    return { id, status: 'completed' };
  }

  return {
    async work(
      queue,
      { atOnce = 1, inBatches = false, besideEachOther = 1, ofGroup, lookEverySeconds = LOOK_EVERY_SECONDS },
      handler,
    ) {
      await boss.work(
        queue,
        {
          includeMetadata: true,
          perJobResults: true,
          ...(inBatches
            ? { batchSize: atOnce, burstWhenBatchFull: true, localConcurrency: besideEachOther }
            : { localConcurrency: atOnce }),
          pollingIntervalSeconds: lookEverySeconds,
          heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS,
          ...(ofGroup === undefined ? {} : { groupConcurrency: ofGroup }),
        },
        (jobs: JobWithMetadata<JobData[typeof queue]>[]) =>
          Promise.all(
            jobs.map((job) =>
              settle(queue, job, handler).catch((error: unknown): JobResult => {
                onError(error);
                return { id: job.id, status: 'failed', output: { detail: String(error) } };
              }),
            ),
          ),
      );
    },
    async stop() {
      stopping.abort();
      await boss.stop({ timeout: STOP_WITHIN_MS });
    },
  };
}

type GivenBack<Name extends QueueName> = {
  readonly queue: Name;
  readonly job: JobWithMetadata<JobData[Name]>;
  readonly afterSeconds: number;
};

/** Ends this claim and sends the same job again, ahead of waiting ones; a no-op when the claim was lost. */
async function giveBack<Name extends QueueName>(
  database: Database,
  { queue, job, afterSeconds }: GivenBack<Name>,
): Promise<void> {
  await database.transaction().execute(async (trx) => {
    const ended = await bossOn(trx).complete(queue, job);
    if (!('affected' in ended) || ended.affected !== 1) return;
    await sendJobs(trx, queue, [
      {
        data: job.data,
        priority: job.priority + 1,
        afterSeconds,
        ...(job.singletonKey === null ? {} : { key: job.singletonKey }),
        ...(job.groupId == null ? {} : { group: job.groupId }),
      },
    ]);
  });
}

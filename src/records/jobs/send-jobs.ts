// Jobs are sent in the transaction that makes them due, so none is lost and none is of something that never happened.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { bossOn } from './boss-on.ts';
import { DEAD_LETTERS, type JobData, type QueueName } from './queues.ts';

type NewJob<Name extends QueueName> = {
  readonly data: JobData[Name];
  /** What it is about; a queue may allow one job of a key. */
  readonly key?: string;
  /** Whose it is: a worker may limit how many of a group run in the whole fleet. */
  readonly group?: string;
  /** Higher ones first. */
  readonly priority?: number;
  readonly afterSeconds?: number;
};

export async function sendJobs<Name extends QueueName>(
  database: Kysely<Tables>,
  queue: Name,
  jobs: readonly NewJob<Name>[],
): Promise<void> {
  if (jobs.length === 0) return;
  await bossOn(database).insert(
    queue,
    jobs.map(({ data, key, group, priority, afterSeconds }) => ({
      data,
      ...(key === undefined ? {} : { singletonKey: key }),
      ...(group === undefined ? {} : { group: { id: group } }),
      ...(priority === undefined ? {} : { priority }),
      ...(afterSeconds === undefined ? {} : { startAfter: afterSeconds }),
    })),
  );
}

/** Sends the jobs of those keys that no dead letter holds back: what failed for good waits for a person's decision. */
export async function sendDueJobs<Name extends QueueName>(
  database: Kysely<Tables>,
  queue: Name,
  jobs: readonly (NewJob<Name> & { readonly key: string })[],
): Promise<void> {
  const letters = await bossOn(database).findJobs(DEAD_LETTERS, { queued: true });
  const held = new Set(letters.flatMap((one) => (one.sourceName === queue ? [one.singletonKey] : [])));
  await sendJobs(
    database,
    queue,
    jobs.filter(({ key }) => !held.has(key)),
  );
}

/** Cancels the jobs of a key that wait; one that runs goes on. */
export async function cancelWaitingJobs(
  database: Kysely<Tables>,
  queue: QueueName,
  key: string,
): Promise<void> {
  const boss = bossOn(database);
  const waiting = await boss.findJobs(queue, { key, queued: true });
  if (waiting.length > 0)
    await boss.cancel(
      queue,
      waiting.map(({ id }) => id),
    );
}

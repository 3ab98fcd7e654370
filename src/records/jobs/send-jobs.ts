// Jobs are sent in the transaction that makes them due, so none is lost and none exists for an event that was rolled back.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { bossOn } from './boss-on.ts';
import { DEAD_LETTERS, type JobData, type QueueName } from './queues.ts';

type NewJob<Name extends QueueName> = {
  readonly data: JobData[Name];
  /** Its subject; a queue may allow one job per key. */
  readonly key?: string;
  /** Its owner: a worker may limit how many jobs of a group run in the whole fleet. */
  readonly group?: string;
  /** Higher runs first. */
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

/** Sends the jobs whose keys have no dead letter: a permanent failure waits for a person's decision. */
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

/** Cancels the waiting jobs of a key; a running one continues. */
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

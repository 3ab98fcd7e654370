import { sql } from 'kysely';
import { bossOn } from '#records/jobs/boss-on.ts';
import { DEAD_LETTERS, type JobData, type QueueName } from '#records/jobs/queues.ts';
import { sendJobs } from '#records/jobs/send-jobs.ts';
import type { Database } from '#records/postgres/database.ts';

/** A job that failed permanently. Returns its id among the dead letters. */
export async function addDeadLetter<Name extends QueueName>(
  database: Database,
  queue: Name,
  { data, key, output }: { readonly data: JobData[Name]; readonly key: string; readonly output: object },
): Promise<string> {
  await sendJobs(database, queue, [{ data, key }]);
  return failForGood(database, queue, { key, output });
}

/** Fails the waiting job of a key, as after its last attempt. */
export async function failForGood(
  database: Database,
  queue: QueueName,
  { key, output }: { readonly key: string; readonly output: object },
): Promise<string> {
  const boss = bossOn(database);
  const [job] = await boss.findJobs(queue, { key, queued: true });
  await sql`update pgboss.job set retry_limit = 0, state = 'active' where id = ${job!.id}`.execute(database);
  await boss.fail(queue, job!.id, output);
  const letters = await boss.findJobs(DEAD_LETTERS, { key, queued: true });
  return letters.at(-1)!.id;
}

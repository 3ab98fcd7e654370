// Works on the jobs of a queue in the test's own time, as a worker does in real time.
import { sql } from 'kysely';
import { bossOn } from '#records/jobs/boss-on.ts';
import type { ClaimedJob, JobHandler } from '#records/jobs/job-worker.ts';
import type { JobData, QueueName } from '#records/jobs/queues.ts';
import type { Database } from '#records/postgres/database.ts';

const MANY = 1_000;

/**
 * Works once on each waiting job; with `later` also on those that wait for their next attempt or whose worker was killed.
 * Returns how many it worked on. If the handler throws, the job is left as by a killed worker.
 */
export async function runJobs<Name extends QueueName>(
  database: Database,
  { queue, handler, later = false }: { queue: Name; handler: JobHandler<Name>; later?: boolean },
): Promise<number> {
  const boss = bossOn(database);
  if (later) {
    const held = await boss.findJobs(queue);
    const lost = held.filter(({ state }) => state === 'active').map(({ id }) => id);
    if (lost.length > 0) await boss.fail(queue, lost, { message: 'job heartbeat timeout' });
  }
  const jobs = await boss.fetch<JobData[Name]>(queue, {
    includeMetadata: true,
    batchSize: MANY,
    ignoreStartAfter: later,
  });
  const untouched = new Set(jobs.map(({ id }) => id));
  try {
    for (const { id, data, retryCount, retryLimit } of jobs) {
      untouched.delete(id);
      const outcome = await handler(
        claimed(data, { attempt: retryCount + 1, isLast: retryCount >= retryLimit }),
      );
      if (outcome === 'done') await boss.complete(queue, id);
      else if ('deadLetter' in outcome) {
        await sql`update pgboss.job set retry_limit = 0 where id = ${id}`.execute(database);
        await boss.fail(queue, id, { code: outcome.deadLetter, detail: outcome.detail });
      } else await boss.fail(queue, id, outcome);
    }
  } finally {
    await sql`update pgboss.job set state = 'retry' where id = any(${[...untouched]}::uuid[])`.execute(
      database,
    );
  }
  return jobs.length;
}

export function claimed<Name extends QueueName>(
  data: JobData[Name],
  { attempt = 1, isLast = false } = {},
): ClaimedJob<Name> {
  const never = new AbortController().signal;
  return { data, attempt, isLast, lost: never, stopping: never };
}

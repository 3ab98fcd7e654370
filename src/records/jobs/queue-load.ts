// How much work waits in each queue of background jobs, and since when.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { QUEUES, type QueueName } from './queues.ts';

export type QueueLoad = {
  readonly queue: QueueName;
  /** Due and not begun. */
  readonly waiting: number;
  readonly running: number;
  /** Since when the oldest of those that wait could have begun; null where none does. */
  readonly oldestAt: Date | null;
};

/** Every queue, the empty ones too. A job that waits for its next attempt is not due. */
export async function readQueueLoads(database: Kysely<Tables>): Promise<readonly QueueLoad[]> {
  const { rows } = await sql<Omit<QueueLoad, 'queue'> & { queue: string }>`
    select name as queue, count(*) filter (where state < 'active' and start_after <= clock_timestamp())::int as waiting,
      count(*) filter (where state = 'active')::int as running,
      min(start_after) filter (where state < 'active' and start_after <= clock_timestamp()) as "oldestAt"
    from pgboss.job where state <= 'active' group by name`.execute(database);
  const found = new Map(rows.map((row) => [row.queue, row]));
  return (Object.keys(QUEUES) as QueueName[]).map((queue) => {
    const { waiting = 0, running = 0, oldestAt = null } = found.get(queue) ?? {};
    return { queue, waiting, running, oldestAt };
  });
}

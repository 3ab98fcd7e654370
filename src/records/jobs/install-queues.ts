import type { Database } from '../postgres/database.ts';
import { bossOn } from './boss-on.ts';
import { DEAD_LETTER_QUEUE, DEAD_LETTERS, QUEUES } from './queues.ts';

/** Creates the library's schema, `pgboss`, and its queues; existing ones are kept. */
export async function installQueues(database: Database): Promise<void> {
  const boss = bossOn(database, { migrate: true });
  await boss.start();
  try {
    await boss.createQueue(DEAD_LETTERS, DEAD_LETTER_QUEUE);
    for (const [name, queue] of Object.entries(QUEUES)) await boss.createQueue(name, queue);
  } finally {
    await boss.stop({ graceful: false });
  }
}

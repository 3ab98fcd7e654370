import type { Database } from '../postgres/database.ts';
import { bossOn } from './boss-on.ts';
import { DEAD_LETTER_QUEUE, DEAD_LETTERS, QUEUES } from './queues.ts';

/** Makes the library's own schema, `pgboss`, and the queues in it; what is there already stays. */
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

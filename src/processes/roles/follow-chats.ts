// Hears what people say to the bot. Of several workers one listens at a time: the service gives an update to one listener alone.
import { setTimeout as pause } from 'node:timers/promises';
import type { ChatInbox, NewsChannel } from '#ports/news-channel.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { hearChats } from '#server/news/hear-chats.ts';
import type { Dependencies } from '#server/http/dependencies.ts';

type Following = Pick<Dependencies, 'now' | 'keys'> & {
  readonly records: DatabaseHandle;
  readonly bot: NewsChannel & ChatInbox;
  readonly onError: (error: unknown) => void;
};

/** Answers how to end it. */
export function followChats(following: Following): () => Promise<void> {
  const stopping = new AbortController();
  const ended = follow(following, stopping.signal);
  return () => {
    stopping.abort();
    return ended;
  };
}

const AGAIN_MS = 5_000;

async function follow(following: Following, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await listenWhileAlone(following, signal).catch(following.onError);
    await pause(AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function listenWhileAlone(following: Following, signal: AbortSignal): Promise<void> {
  const { records, bot } = following;
  const client = await records.pool.connect();
  try {
    const lock = await client.query<{ held: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('telegram inbox', 0)) as held`,
    );
    if (lock.rows[0]?.held !== true) return;
    let after: number | null = null;
    while (!signal.aborted) {
      const { heard, failed } = await hearChats(bot, { after, signal }, following);
      after = heard;
      if (failed) return;
      // Throws once the connection, and the lock with it, is lost.
      await client.query('select 1');
    }
  } finally {
    await client.query(`select pg_advisory_unlock_all()`).catch(() => undefined);
    client.release();
  }
}

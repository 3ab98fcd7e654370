// NOTIFY across processes: a message wakes who waits, and is never the only way to learn something. A connection that
// breaks is opened again at the next call; messages sent meanwhile are lost.
import type pg from 'pg';

export type Listening = {
  /** Opens the connection unless it is open. Throws when the database does not respond. */
  ensure(): Promise<void>;
  close(): Promise<void>;
};

/** Calls `onMessage` with the payload of each message on the channel. Nothing is opened before the first ensure. */
export function listenTo(pool: pg.Pool, channel: string, onMessage: (payload: string) => void): Listening {
  let opening: Promise<pg.PoolClient> | null = null;
  let isClosed = false;
  const open = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect();
    client.once('end', () => {
      opening = null;
      if (!isClosed) client.release(true);
    });
    client.on('notification', (message) => {
      if (message.channel === channel && !isClosed) onMessage(message.payload ?? '');
    });
    await client.query(`listen ${channel}`);
    return client;
  };
  return {
    async ensure() {
      if (isClosed) return;
      opening ??= open().catch((error: unknown) => {
        opening = null;
        throw error;
      });
      await opening;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      const client = await opening?.catch(() => null);
      // A session that listens must not return to the pool.
      client?.release(true);
    },
  };
}

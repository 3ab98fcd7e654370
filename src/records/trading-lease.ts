// The right to be the one trader: an advisory lock of a connection kept for it. It ends with that connection, so a
// killed trader holds nobody up.
import type pg from 'pg';

export type TradingLease = {
  /** False once the connection that holds the lock is gone; then stop at once. */
  isHeld(): boolean;
  release(): Promise<void>;
};

/** Null when another trader holds it. */
export async function takeTradingLease(pool: pg.Pool): Promise<TradingLease | null> {
  const client = await pool.connect();
  let held = false;
  const lost = () => {
    held = false;
  };
  client.on('error', lost);
  client.on('end', lost);
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCK_KEY,
    ]);
    held = rows[0]?.taken === true;
  } catch (error) {
    client.release(true);
    throw error;
  }
  if (!held) {
    client.release();
    return null;
  }
  return {
    isHeld: () => held,
    release: async () => {
      if (!held) {
        client.release(true);
        return;
      }
      held = false;
      try {
        await client.query('select pg_advisory_unlock($1)', [LOCK_KEY]);
      } catch {
        // A connection that is broken has let the lock go by itself; closing it below makes sure.
      }
      client.off('error', lost);
      client.off('end', lost);
      client.release(true);
    },
  };
}

/** Any fixed number that no other lock of ours uses. */
const LOCK_KEY = 7_211_001;

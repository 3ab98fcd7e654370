// The right to renew the published results: an advisory lock of a connection kept for it, so that only one machine
// works on them.
import type pg from 'pg';

/** Null when somebody else holds it; it ends when released or with its connection. */
export async function takeResultLease(pool: pg.Pool): Promise<{ release(): void } | null> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCK_KEY,
    ]);
    if (rows[0]?.taken === true) return { release: () => client.release(true) };
    client.release();
    return null;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Any fixed number that no other lock of ours uses. */
const LOCK_KEY = 7_211_003;

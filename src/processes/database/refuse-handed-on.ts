// A pooler may hand a connection on after each transaction. Whose rows a connection sees, its locks, what it listens to and its prepared
// statements belong to the session, so the next request would see the rows of somebody else: no role starts behind such a pooler.
import type pg from 'pg';

/** Throws an Error that says what to set. Needs two free connections. */
export async function refuseHandedOn(pool: pg.Pool): Promise<void> {
  const ours = await pool.connect();
  try {
    const other = await pool.connect();
    try {
      await ours.query(`select set_config('bellwether.session', 'ours', false)`);
      // It takes the server's connection that has just become free, if ours was given back.
      await other.query('begin');
      await other.query('select 1');
      const { rows } = await ours.query<{ seen: string | null }>(
        `select current_setting('bellwether.session', true) as seen`,
      );
      if (rows[0]?.seen !== 'ours') throw new Error(REFUSAL);
    } finally {
      other.release(true);
    }
  } finally {
    ours.release(true);
  }
}

const REFUSAL =
  'DATABASE_URL leads through a pooler that hands connections on after each transaction: one person would see the rows of another. ' +
  'Let it hand them on by session (pool_mode = session in PgBouncer), or name the server itself';

// Per-user slots for broker paths with a rate limit of seconds, shared by all processes.
import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';

type SharedRateLimiter = {
  /** Acquires the slot for `ms` milliseconds: returns 0, or the milliseconds for which another process still holds it. */
  acquire(path: string, ms: number): Promise<number>;
  /** Called by the holder: the slot is free `ms` milliseconds from now. */
  release(path: string, ms: number): Promise<void>;
};

export function sharedRateLimiter(database: Database, userHash: string): SharedRateLimiter {
  return {
    async acquire(path, ms) {
      const acquired = await sql`
        insert into broker_rate_limits (user_hash, path, free_at) values (${userHash}, ${path}, ${inMs(ms)})
        on conflict (user_hash, path) do update set free_at = excluded.free_at
          where broker_rate_limits.free_at <= clock_timestamp()
        returning path`.execute(database);
      if (acquired.rows.length > 0) return 0;
      const { rows } = await sql<{ ms: string }>`
        select ceil(extract(epoch from free_at - clock_timestamp()) * 1000) as ms
        from broker_rate_limits where user_hash = ${userHash} and path = ${path}`.execute(database);
      return Math.max(1, Number(rows[0]?.ms ?? 0));
    },
    async release(path, ms) {
      await sql`
        update broker_rate_limits set free_at = ${inMs(ms)}
        where user_hash = ${userHash} and path = ${path}`.execute(database);
    },
  };
}

function inMs(ms: number) {
  return sql`clock_timestamp() + ${ms / 1_000}::float8 * interval '1 second'`;
}

// Turns at paths of a broker that may be asked only every few seconds: a user's, however many processes ask.
import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';

export type BrokerTurns = {
  /** Takes the turn for `ms` milliseconds: 0, or how many milliseconds it is still another's. */
  take(path: string, ms: number): Promise<number>;
  /** The turn is free `ms` milliseconds from now: for whoever has it. */
  leave(path: string, ms: number): Promise<void>;
};

export function brokerTurns(database: Database, userHash: string): BrokerTurns {
  return {
    async take(path, ms) {
      const taken = await sql`
        insert into broker_turns (user_hash, path, free_at) values (${userHash}, ${path}, ${inMs(ms)})
        on conflict (user_hash, path) do update set free_at = excluded.free_at
          where broker_turns.free_at <= clock_timestamp()
        returning path`.execute(database);
      if (taken.rows.length > 0) return 0;
      const { rows } = await sql<{ ms: string }>`
        select ceil(extract(epoch from free_at - clock_timestamp()) * 1000) as ms
        from broker_turns where user_hash = ${userHash} and path = ${path}`.execute(database);
      return Math.max(1, Number(rows[0]?.ms ?? 0));
    },
    async leave(path, ms) {
      await sql`
        update broker_turns set free_at = ${inMs(ms)}
        where user_hash = ${userHash} and path = ${path}`.execute(database);
    },
  };
}

function inMs(ms: number) {
  return sql`clock_timestamp() + ${ms / 1_000}::float8 * interval '1 second'`;
}

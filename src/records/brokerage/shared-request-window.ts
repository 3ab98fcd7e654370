// The requests of one user in a vendor's window of time, across all processes.
import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';

type SharedRequestWindow = {
  /** Takes a place: returns 0, or the milliseconds until one is free. Nobody gives one back: its time runs out. */
  take(): Promise<number>;
  /** Nobody takes a place for `ms` milliseconds from now. */
  close(ms: number): Promise<void>;
};

type Terms = {
  /** The vendor, and the id of the broker login. */
  readonly user: string;
  /** How many requests the vendor allows in the window. */
  readonly places: number;
  /** How long a request counts: the vendor's window, and the longest that a request is under way. */
  readonly countsMs: number;
};

export function sharedRequestWindow(
  database: Database,
  { user, places, countsMs }: Terms,
): SharedRequestWindow {
  const mine = sql`user_hash = ${user} and place <= ${places}`;
  let isMade = false;
  const make = async () => {
    if (isMade) return;
    await sql`insert into broker_request_places (user_hash, place, free_at)
      select ${user}, place, clock_timestamp() from generate_series(1, ${places}::int) place
      on conflict do nothing`.execute(database);
    isMade = true;
  };
  return {
    async take() {
      await make();
      const taken = await sql`
        update broker_request_places p set free_at = ${inMs(countsMs)}
        from (select place from broker_request_places where ${mine} and free_at <= clock_timestamp()
          order by free_at, place limit 1 for update skip locked) free
        where p.user_hash = ${user} and p.place = free.place
        returning p.place`.execute(database);
      if (taken.rows.length > 0) return 0;
      const { rows } = await sql<{ ms: string }>`
        select ceil(extract(epoch from min(free_at) - clock_timestamp()) * 1000) as ms
        from broker_request_places where ${mine}`.execute(database);
      return Math.max(1, Number(rows[0]?.ms ?? 0));
    },
    async close(ms) {
      await make();
      await sql`update broker_request_places set free_at = greatest(free_at, ${inMs(ms)}) where ${mine}`.execute(
        database,
      );
    },
  };
}

function inMs(ms: number) {
  return sql`clock_timestamp() + ${ms / 1_000}::float8 * interval '1 second'`;
}

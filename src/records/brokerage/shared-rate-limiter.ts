// What all processes share of a broker's limits: per-user slots for paths with a limit of seconds, and the penalty that
// the broker imposed on our address.
import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';

type SharedRateLimiter = {
  /**
   * Acquires the slot for `ms` milliseconds: returns 0, or the milliseconds for which another process still holds it. A
   * process that died in it may have sent its request until then, so its slot is free `spacingMs` from now.
   */
  acquire(path: string, terms: { readonly ms: number; readonly spacingMs: number }): Promise<number>;
  /** Called by the holder: the slot is free `ms` milliseconds from now. */
  release(path: string, ms: number): Promise<void>;
  /** For how many milliseconds nothing may be sent; 0 without a penalty. */
  penaltyMs(): Promise<number>;
  /** The broker penalises our address for `ms` milliseconds from now. */
  penalise(ms: number): Promise<void>;
};

type Scope = {
  /** Where the broker is reached. */
  readonly server: string;
  readonly userHash: string;
};

export function sharedRateLimiter(database: Database, { server, userHash }: Scope): SharedRateLimiter {
  const penalties = penaltiesOf(database, server);
  const slot = (path: string) => sql`user_hash = ${userHash} and path = ${path}`;
  return {
    async acquire(path, { ms, spacingMs }) {
      const acquired = await sql`
        insert into broker_rate_limits as r (user_hash, path, free_at, holder_pid, holder_since)
        select ${userHash}, ${path}, ${inMs(ms)}, pid, backend_start from pg_stat_activity
          where pid = pg_backend_pid()
        on conflict (user_hash, path) do update set free_at = excluded.free_at,
            holder_pid = excluded.holder_pid, holder_since = excluded.holder_since
          where r.free_at <= clock_timestamp()
        returning path`.execute(database);
      if (acquired.rows.length > 0) return 0;
      await sql`
        update broker_rate_limits r set free_at = least(r.free_at, ${inMs(spacingMs)}), holder_pid = null
        where ${slot(path)} and r.holder_pid is not null and not exists (
          select from pg_stat_activity a where a.pid = r.holder_pid and a.backend_start = r.holder_since)`.execute(
        database,
      );
      const { rows } = await sql<{ ms: string }>`
        select ceil(extract(epoch from free_at - clock_timestamp()) * 1000) as ms
        from broker_rate_limits where ${slot(path)}`.execute(database);
      return Math.max(1, Number(rows[0]?.ms ?? 0));
    },
    async release(path, ms) {
      await sql`
        update broker_rate_limits set free_at = ${inMs(ms)}, holder_pid = null where ${slot(path)}`.execute(
        database,
      );
    },
    penaltyMs: () => penalties.leftMs(),
    async penalise(ms) {
      await sql`
        insert into broker_penalties as p (server, until) values (${server}, ${inMs(ms)})
        on conflict (server) do update set until = greatest(p.until, excluded.until)`.execute(database);
      penalties.forget();
    },
  };
}

type Penalties = { leftMs(): Promise<number>; forget(): void };

const PENALTIES = new WeakMap<Database, Map<string, Penalties>>();

/** The penalty is that of the address: what one user's request has just read counts for the requests of all users. */
function penaltiesOf(database: Database, server: string): Penalties {
  const ofServers = PENALTIES.get(database) ?? new Map<string, Penalties>();
  PENALTIES.set(database, ofServers);
  const known = ofServers.get(server) ?? readPenalties(database, server);
  ofServers.set(server, known);
  return known;
}

function readPenalties(database: Database, server: string): Penalties {
  let last: { readonly at: number; readonly leftMs: Promise<number> } | null = null;
  const read = async () => {
    const { rows } = await sql<{ ms: string }>`
      select ceil(extract(epoch from until - clock_timestamp()) * 1000) as ms
      from broker_penalties where server = ${server} and until > clock_timestamp()`.execute(database);
    return Number(rows[0]?.ms ?? 0);
  };
  const forget = () => {
    last = null;
  };
  return {
    async leftMs() {
      const now = performance.now();
      if (last === null || now - last.at >= UNPENALISED_MS) last = { at: now, leftMs: read() };
      const { leftMs } = last;
      // Only that there is none is remembered.
      const left = await leftMs.catch((error: unknown) => {
        forget();
        throw error;
      });
      if (left > 0) forget();
      return left;
    },
    forget,
  };
}

/** How much later than the database a process may hear of a penalty: its own requests are under way for as long. */
const UNPENALISED_MS = 250;

function inMs(ms: number) {
  return sql`clock_timestamp() + ${ms / 1_000}::float8 * interval '1 second'`;
}

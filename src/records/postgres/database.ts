// The way to PostgreSQL: one pool, typed by tables.ts. Numeric and bigint come back as text, never as float.
import { Kysely, PostgresDialect, type Transaction as KyselyTransaction } from 'kysely';
import pg from 'pg';
import { CopyingClient } from './copy-rows.ts';
import { readTimestamp } from './read-timestamp.ts';
import type { Tables } from '../tables.ts';

export type Database = Kysely<Tables>;

/** All or nothing: what is written in it is there as a whole, or not at all. */
export type Transaction = KyselyTransaction<Tables>;

export type DatabaseHandle = {
  readonly database: Database;
  /** For the hottest reads: named statements and COPY. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
};

const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    // Calendar days stay YYYY-MM-DD text: a Date would move them by the time zone.
    if (oid === pg.types.builtins.DATE) return (text: string) => text;
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return (text: string) => text;
    if (oid === pg.types.builtins.TIMESTAMPTZ && format !== 'binary') return readTimestamp;
    return pg.types.getTypeParser(oid, format);
  },
};

type DatabaseOptions = {
  readonly poolSize?: number;
  /** Hears of connections that break while unused, such as when the server stops. */
  readonly onIdleError?: (error: Error) => void;
  /**
   * After so long the server ends a transaction whose process does not go on with it, and a statement gives up waiting
   * for a lock: nobody is held up by a process that was stopped.
   */
  readonly patienceMs?: number;
};

export function openDatabase(url: string, options: DatabaseOptions = {}): DatabaseHandle {
  const { poolSize = 10, patienceMs = 0 } = options;
  const pool = new pg.Pool({
    Client: CopyingClient,
    connectionString: url,
    max: poolSize,
    types: TYPES,
    idle_in_transaction_session_timeout: patienceMs,
    lock_timeout: patienceMs,
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  // One that breaks while it is lent out fails its own query; unheard, the event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { database, pool, close: () => database.destroy() };
}

// Access to PostgreSQL: one pool, typed by tables.ts. Numeric and bigint are returned as text, never as float.
import { Kysely, PostgresDialect, type Transaction as KyselyTransaction } from 'kysely';
import pg from 'pg';
import { DatabaseClient } from './database-client.ts';
import { readTimestamp } from './read-timestamp.ts';
import { API_ROLE, scopeConnections } from './row-scope.ts';
import type { Tables } from '../tables.ts';

export type Database = Kysely<Tables>;

/** All or nothing. */
export type Transaction = KyselyTransaction<Tables>;

export type DatabaseHandle = {
  readonly database: Database;
  /** For statements written as text. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
};

const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    // Calendar days stay YYYY-MM-DD text: a Date would shift them by the time zone.
    if (oid === pg.types.builtins.DATE) return (text: string) => text;
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return (text: string) => text;
    if (oid === pg.types.builtins.TIMESTAMPTZ && format !== 'binary') return readTimestamp;
    return pg.types.getTypeParser(oid, format);
  },
};

type DatabaseOptions = {
  readonly poolSize?: number;
  /** Receives errors of idle connections, such as when the server stops. */
  readonly onIdleError?: (error: Error) => void;
  /**
   * Timeout after which the server ends an idle transaction, and a statement stops waiting for a lock: a stopped process
   * blocks no other.
   */
  readonly patienceMs?: number;
  /** In the role of the API, which sees the rows of one person at a time: see row-scope.ts. */
  readonly asApi?: boolean;
  /** Ends before a new connection is used; without success it is not. */
  readonly onConnect?: (client: pg.ClientBase) => Promise<void>;
  /**
   * How long an answer may take before it is asked whether the server can be reached, and the connection broken off if not: a host
   * that was cut off never says so. The server is not asked to end the statement: that would acknowledge a commit that no standby has.
   */
  readonly answerWithinMs?: number;
};

/** To a server, a pooler or a proxy. */
const CONNECT_WITHIN_MS = 10_000;
/** Until a quiet connection is asked whether the other side is still there; then once a second, ten times. */
const KEEP_ALIVE_AFTER_MS = 5_000;

function clientOf({ answerWithinMs }: Pick<DatabaseOptions, 'answerWithinMs'>): typeof pg.Client {
  return class extends DatabaseClient {
    constructor(config?: pg.ClientConfig) {
      // Not the pool's own limit, which would also end the wait for a connection that others use.
      super({ ...config, connectionTimeoutMillis: CONNECT_WITHIN_MS });
      if (answerWithinMs !== undefined) this.once('connect', () => this.breakOffAfter(answerWithinMs));
    }
  };
}

function sessionSettings({
  patienceMs,
  asApi,
}: {
  readonly patienceMs: number;
  readonly asApi: boolean;
}): string {
  const settings = [
    `set idle_in_transaction_session_timeout = ${patienceMs}`,
    `set lock_timeout = ${patienceMs}`,
    ...(asApi ? [`set role ${API_ROLE}`, 'set search_path = own_rows, public'] : []),
  ];
  return settings.join('; ');
}

export function openDatabase(url: string, options: DatabaseOptions = {}): DatabaseHandle {
  const { poolSize = 10, patienceMs = 0, asApi = false } = options;
  const pool = new pg.Pool({
    Client: clientOf(options),
    connectionString: url,
    max: poolSize,
    types: TYPES,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    async onConnect(client) {
      // By a statement: a pooler takes no settings from the greeting.
      await client.query(sessionSettings({ patienceMs, asApi }));
      await options.onConnect?.(client);
    },
  });
  if (asApi) scopeConnections(pool);
  pool.on('error', (error) => options.onIdleError?.(error));
  // A connection that breaks while checked out fails its own query; without a listener the event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const close = async () => {
    await database.destroy();
    // Kysely ends a pool only when it has used it.
    if (!pool.ending) await pool.end();
  };
  return { database, pool, close };
}

// Whose rows the API sees. In its role, a query of a private table finds the rows of one person alone, whatever its condition
// says: the database asks `bellwether.rows_of`, which a connection is told before each use. See schema/rows.sql.
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { UserId } from '#units/identifiers.ts';

/** The role of the API. */
export const API_ROLE = 'bellwether_api';

const EVERYBODY = 'everybody';
const NOBODY = 'nobody';

const scopes = new AsyncLocalStorage<string>();

/** For a call of this person; null for a visitor, whose are no rows. */
export function asPerson<Value>(userId: UserId | null, work: () => Value): Value {
  return scopes.run(userId ?? NOBODY, work);
}

/** For staff, for whoever holds a secret that names the row, and for what the server does for all at once. */
export function asEverybody<Value>(work: () => Value): Value {
  return scopes.run(EVERYBODY, work);
}

/** Tells each connection, before it is used, whose rows the work that asked for it may see. */
export function scopeConnections(pool: pg.Pool): void {
  const told = new WeakMap<pg.PoolClient, string>();
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const open = async (): Promise<pg.PoolClient> => {
    // Outside of any work it is empty, and a private table refuses to be read.
    const scope = scopes.getStore() ?? '';
    const client = await connect();
    if ((told.get(client) ?? '') === scope) return client;
    try {
      await client.query(`select set_config('bellwether.rows_of', $1, false)`, [scope]);
    } catch (error) {
      client.release(true);
      throw error;
    }
    told.set(client, scope);
    return client;
  };
  type Callback = (
    error: Error | undefined,
    client?: pg.PoolClient,
    release?: pg.PoolClient['release'],
  ) => void;
  pool.connect = ((callback?: Callback) => {
    if (callback === undefined) return open();
    open().then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }) as typeof pool.connect;
}

// Whose rows the API sees. In its role, a query of a private table finds the rows of one person alone, whatever its condition
// says: the database asks `bellwether.rows_of`, which a connection is told before each use. See schema/rows.sql.
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { UserId } from '#units/identifiers.ts';

/** The role of the API. */
export const API_ROLE = 'bellwether_api';

const EVERYBODY = 'everybody';
const NOBODY = 'nobody';
const NO_SCOPE = { rows: '', apiKey: '' };

/** `apiKey`: by which key of the person a program asks; empty for the person. The audit log and the key's budget read it. */
type Scope = { readonly rows: string; readonly apiKey: string };

const scopes = new AsyncLocalStorage<Scope>();

/** For a call of this person; null for a visitor, whose are no rows. */
export function asPerson<Value>(userId: UserId | null, work: () => Value): Value {
  return scopes.run({ rows: userId ?? NOBODY, apiKey: '' }, work);
}

/** For a program that acts for this person by one of their keys. */
export function asApiKey<Value>(
  { userId, apiKeyId }: { readonly userId: UserId; readonly apiKeyId: string },
  work: () => Value,
): Value {
  return scopes.run({ rows: userId, apiKey: apiKeyId }, work);
}

/** For staff, for whoever holds a secret that names the row, and for what the server does for all at once. */
export function asEverybody<Value>(work: () => Value): Value {
  return scopes.run({ rows: EVERYBODY, apiKey: '' }, work);
}

/** Tells each connection, before it is used, whose rows the work that asked for it may see. */
export function scopeConnections(pool: pg.Pool): void {
  const told = new WeakMap<pg.PoolClient, Scope>();
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const open = async (): Promise<pg.PoolClient> => {
    // Outside of any work it is empty, and a private table refuses to be read.
    const scope = scopes.getStore() ?? NO_SCOPE;
    const client = await connect();
    const known = told.get(client) ?? NO_SCOPE;
    if (known.rows === scope.rows && known.apiKey === scope.apiKey) return client;
    try {
      await client.query(
        `select set_config('bellwether.rows_of', $1, false), set_config('bellwether.api_key', $2, false)`,
        [scope.rows, scope.apiKey],
      );
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

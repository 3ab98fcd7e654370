// Rotates the keys while the product runs. Each step can be repeated: a crash anywhere leaves old and new key readable, and the next
// run goes on where this one stopped.
import { sql } from 'kysely';
import type { KeyManagement } from '#ports/key-management.ts';
import { noRootKeyText } from '#rules/operations/key-failure.ts';
import { actAs } from '../operations/audit-log.ts';
import type { Database } from '../postgres/database.ts';
import { KEY_KIND_NAMES, KEY_KINDS } from './key-kind.ts';
import { addKey, type Keyring, nameOf, unwrapKey } from './keyring.ts';
import { hasKeyring, type KeyRow, listKeys, lockKeyring, removeKey, rewrapKey } from './keyring-rows.ts';
import { rewrapSecret } from './sealed-secret.ts';

type Tools = { readonly database: Database; readonly management: KeyManagement; readonly keys: Keyring };

/** New keys of every kind, unless the last rotation has not ended: the secrets of a sealing key before this one remain. */
export async function beginRotation({ database, management, keys }: Tools): Promise<'begun' | 'goes on'> {
  const begun = await database.transaction().execute(async (trx) => {
    await lockKeyring(trx);
    await actAs(trx, ACTOR);
    const rows = await listKeys(trx);
    if (rows.some(({ kind, replacedAt }) => kind === 'sealing' && replacedAt !== null)) return false;
    for (const kind of KEY_KIND_NAMES) await addKey(trx, kind, management);
    return true;
  });
  await keys.reload();
  return begun ? 'begun' : 'goes on';
}

/**
 * Wraps every key anew by another root key, and retires the ones before it. `otherWorlds`: databases whose keys the same root key
 * may wrap; those of another root key stay as they are.
 */
export async function rotateRoot({
  database,
  otherWorlds,
  management,
}: Pick<Tools, 'database' | 'management'> & { readonly otherWorlds: readonly Database[] }): Promise<void> {
  // Before a new root key is made: none of ours may be lost with the old one.
  for (const row of await listKeys(database)) await unwrapKey(management, row);
  const rotated = await management.rotate();
  if (!rotated.ok) throw new Error(noRootKeyText(rotated));
  await rewrapKeys(database, management);
  for (const other of otherWorlds)
    if (await isOfSameRoot(other, management)) await rewrapKeys(other, management);
  // At last: a crash before this line leaves two root keys, both readable.
  const retired = await management.retire();
  if (!retired.ok) throw new Error(noRootKeyText(retired));
}

async function isOfSameRoot(world: Database, management: KeyManagement): Promise<boolean> {
  if (!(await hasKeyring(world))) return false;
  const [row] = await listKeys(world);
  if (row === undefined) return false;
  const answer = await management.unwrap({ by: row.wrappedBy, bytes: row.wrapped }, nameOf(row));
  return answer.ok || answer.code !== 'foreign';
}

async function rewrapKeys(database: Database, management: KeyManagement): Promise<void> {
  await database.transaction().execute(async (trx) => {
    await lockKeyring(trx);
    await actAs(trx, ACTOR);
    for (const row of await listKeys(trx)) {
      const { bytes } = await unwrapKey(management, row);
      const answer = await management.wrap(bytes, nameOf(row));
      if (!answer.ok) throw new Error(noRootKeyText(answer));
      const { by, bytes: wrapped } = answer.value;
      await rewrapKey(trx, { id: row.id, wrapped: Buffer.from(wrapped), wrappedBy: by });
    }
  });
}

/** Returns how many secrets were wrapped anew. */
export async function rewrapSecrets({ database, keys }: Omit<Tools, 'management'>): Promise<number> {
  let wrapped = 0;
  for (const place of SEALED) {
    for (;;) {
      const newest = keys.newest('sealing').id;
      const { rows } = await sql<{ id: string; sealed: Buffer }>`
        select ${sql.ref(place.id)}::text as id, ${sql.ref(place.column)} as sealed from ${sql.table(place.table)}
        where sealed_with <> ${newest} order by 1 limit ${BATCH}`.execute(database);
      if (rows.length === 0) break;
      for (const { id, sealed } of rows) {
        const anew = await rewrapSecret(sealed, keys).catch((error: unknown) => {
          throw new Error(`${place.table} ${id} does not open`, { cause: error });
        });
        // Unless it was sealed again meanwhile.
        await sql`update ${sql.table(place.table)} set ${sql.ref(place.column)} = ${anew}
          where ${sql.ref(place.id)}::text = ${id} and ${sql.ref(place.column)} = ${sealed}`.execute(
          database,
        );
        wrapped += 1;
      }
    }
  }
  return wrapped;
}

/** Removes replaced keys that nothing needs any more; returns the replaced ones that remain. */
export async function removeSpentKeys({
  database,
  keys,
}: Omit<Tools, 'management'>): Promise<readonly KeyRow[]> {
  const replaced = (await listKeys(database)).filter(({ replacedAt }) => replacedAt !== null);
  const remaining: KeyRow[] = [];
  for (const key of replaced) {
    const { overlapMs } = KEY_KINDS[key.kind];
    const isRemoved = await removeKey(database, { id: key.id, overlapMs, by: ACTOR });
    if (!isRemoved) remaining.push(key);
  }
  await keys.reload();
  return remaining;
}

/** Every column that keeps a sealed secret for longer than a rotation takes; `sealed_with` names the key of each. */
const SEALED = [
  { table: 'broker_connections', id: 'id', column: 'sealed_credentials' },
  { table: 'authenticators', id: 'user_id', column: 'sealed_secret' },
  { table: 'news_addresses', id: 'id', column: 'sealed_address' },
  { table: 'webhooks', id: 'id', column: 'sealed_secrets' },
] as const;
const BATCH = 200;
const ACTOR = 'staff:command line';

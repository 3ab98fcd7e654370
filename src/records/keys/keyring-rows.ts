import { sql, type Kysely } from 'kysely';
import { actAs } from '../operations/audit-log.ts';
import type { Database } from '../postgres/database.ts';
import type { Tables } from '../tables.ts';
import type { KeyKind } from './key-kind.ts';

export type KeyRow = {
  readonly id: string;
  readonly kind: KeyKind;
  readonly wrapped: Buffer;
  /** The root key that wrapped it. */
  readonly wrappedBy: string;
  readonly checkValue: string;
  readonly madeAt: Date;
  /** Null for the newest of its kind. */
  readonly replacedAt: Date | null;
};

/** Newest first. */
export async function listKeys(database: Kysely<Tables>): Promise<readonly KeyRow[]> {
  const rows = await database
    .selectFrom('keyring')
    .selectAll()
    .orderBy('replaced_at', (order) => order.desc().nullsFirst())
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as KeyKind,
    wrapped: row.wrapped,
    wrappedBy: row.wrapped_by,
    checkValue: row.check_value,
    madeAt: row.made_at,
    replacedAt: row.replaced_at,
  }));
}

export type NewKey = Pick<KeyRow, 'id' | 'kind' | 'wrapped' | 'wrappedBy' | 'checkValue'>;

/** In place of the newest of its kind. */
export async function putKey(trx: Kysely<Tables>, key: NewKey): Promise<void> {
  await trx
    .updateTable('keyring')
    .set({ replaced_at: sql<Date>`clock_timestamp()` })
    .where('kind', '=', key.kind)
    .where('replaced_at', 'is', null)
    .execute();
  await trx
    .insertInto('keyring')
    .values({
      id: key.id,
      kind: key.kind,
      wrapped: key.wrapped,
      wrapped_by: key.wrappedBy,
      check_value: key.checkValue,
    })
    .execute();
}

export async function rewrapKey(
  trx: Kysely<Tables>,
  { id, wrapped, wrappedBy }: Pick<KeyRow, 'id' | 'wrapped' | 'wrappedBy'>,
): Promise<void> {
  await trx.updateTable('keyring').set({ wrapped, wrapped_by: wrappedBy }).where('id', '=', id).execute();
}

/** One process at a time changes the keys. Until the transaction ends. */
export async function lockKeyring(trx: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('keyring', 0))`.execute(trx);
}

/** False while something is sealed or hashed with it, or its time is not over. In a transaction of its own. */
export async function removeKey(
  database: Database,
  { id, overlapMs, by }: { readonly id: string; readonly overlapMs: number; readonly by: string },
): Promise<boolean> {
  try {
    return await database.transaction().execute(async (trx) => {
      await actAs(trx, by);
      const { numDeletedRows } = await trx
        .deleteFrom('keyring')
        .where('id', '=', id)
        .where('replaced_at', '<=', sql<Date>`clock_timestamp() - ${overlapMs} * interval '1 millisecond'`)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === FOREIGN_KEY_VIOLATION) return false;
    throw error;
  }
}

const FOREIGN_KEY_VIOLATION = '23503';

/** The other databases of this product on the same server, by name. */
export async function listWorlds(database: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select datname as name from pg_database
    where datname like 'bellwether%' and datname <> current_database() and datallowconn order by 1`.execute(
    database,
  );
  return rows.map(({ name }) => name);
}

/** False in a database without our schema. */
export async function hasKeyring(database: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('keyring') is not null as found`.execute(
    database,
  );
  return rows[0]?.found === true;
}

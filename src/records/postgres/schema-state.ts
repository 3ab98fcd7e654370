// What a database holds and whose it is, read without changing anything.
import { sql } from 'kysely';
import { openDatabase } from './database.ts';
import { listMigrations, MIGRATION_NAMES } from './migrate.ts';
import { findOwnerRights } from './product-role.ts';

export type SchemaState = {
  /** none: no table of ours yet. older: the next start migrates it. other: of a version that is not this one. */
  readonly schema: 'current' | 'none' | 'older' | 'other';
  readonly newest: string | null;
  /** As whom we are signed in, and whose the database is. */
  readonly user: string;
  readonly owner: string;
  /** We may change the schema. */
  readonly isOwner: boolean;
  readonly version: number;
};

/** Throws what PostgreSQL says when it cannot be reached. */
export async function readSchemaState(url: string): Promise<SchemaState> {
  const handle = openDatabase(url, { poolSize: 1, onIdleError: () => undefined });
  try {
    const { rows } = await sql<{ user: string; owner: string; version: number }>`
      select current_user as user, pg_get_userbyid(datdba) as owner,
        current_setting('server_version_num')::int / 10000 as version
      from pg_database where datname = current_database()`.execute(handle.database);
    const found = rows[0]!;
    const migrations = await listMigrations(handle.database);
    return {
      schema: stateOf(migrations),
      newest: migrations.at(-1) ?? null,
      user: found.user,
      owner: found.owner,
      isOwner: (await findOwnerRights(handle.database)) !== null,
      version: found.version,
    };
  } finally {
    await handle.close();
  }
}

function stateOf(migrations: readonly string[]): SchemaState['schema'] {
  if (migrations.length === 0) return 'none';
  if (migrations.some((name) => !MIGRATION_NAMES.includes(name))) return 'other';
  return migrations.length === MIGRATION_NAMES.length ? 'current' : 'older';
}

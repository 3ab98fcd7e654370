// What a database holds and whose it is, read without changing anything.
import { sql } from 'kysely';
import { SCHEMA_CHANGES, type SchemaChange } from '../schema/migrations.ts';
import { type Database, openDatabase } from './database.ts';
import { findOwnerRights } from './product-role.ts';

/**
 * none: no table of ours yet. older: this version migrates it. newer: a newer version migrated it, and this one still runs there.
 * other: of a version that this one does not run with.
 */
type Schema = 'current' | 'none' | 'older' | 'newer' | 'other';

export type SchemaState = {
  readonly schema: Schema;
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
    const { state, newest } = await findSchema(handle.database);
    return {
      schema: state,
      newest,
      user: found.user,
      owner: found.owner,
      isOwner: (await findOwnerRights(handle.database)) !== null,
      version: found.version,
    };
  } finally {
    await handle.close();
  }
}

export type FoundSchema = {
  readonly state: Schema;
  readonly newest: string | null;
  /** The first change that this version does not know. */
  readonly unknown: string | null;
  /** The first one that the database does not have. */
  readonly missing: string | null;
  /** Of what is unknown: the newest change that a version must know to run here. */
  readonly runsWith: string | null;
};

/** By the changes that a version knows: those of this one. */
export async function findSchema(
  database: Database,
  changes: readonly SchemaChange[] = SCHEMA_CHANGES,
): Promise<FoundSchema> {
  const known = changes.map(({ name }) => name);
  const has = await listMigrations(database);
  const unknown = has.filter((name) => !known.includes(name));
  const missing = known.find((name) => !has.includes(name)) ?? null;
  const found = { newest: has.at(-1) ?? null, unknown: unknown[0] ?? null, missing };
  if (has.length === 0) return { ...found, state: 'none', runsWith: null };
  if (unknown.length === 0)
    return { ...found, state: missing === null ? 'current' : 'older', runsWith: null };
  const reach = await listReach(database);
  const needs = unknown.map((name) => reach.get(name));
  const runsWith = needs.includes(undefined) ? null : (needs.toSorted().at(-1) ?? null);
  const runsHere = missing === null && runsWith !== null && known.includes(runsWith);
  return { ...found, state: runsHere ? 'newer' : 'other', runsWith };
}

/** Throws a sentence that says what to run where this version cannot run on the database. */
export async function refuseUnfitSchema(database: Database): Promise<void> {
  const { state, missing, unknown, runsWith } = await findSchema(database);
  if (state === 'current' || state === 'newer') return;
  if (state === 'none')
    throw new Error(
      'the database is empty. Run npm run catalogue first, with DATABASE_OWNER_URL set to its owner',
    );
  if (state === 'older')
    throw new Error(
      `the database has the schema of an earlier version (it lacks ${missing}). Run npm run catalogue of this version ` +
        'first, with DATABASE_OWNER_URL set to its owner; processes of the earlier version go on meanwhile',
    );
  throw new Error(
    `the database has the schema of another version (${unknown}), on which this one does not run` +
      `${runsWith === null ? '' : `: versions that know ${runsWith} do`}. Install the version that migrated it`,
  );
}

async function listMigrations(database: Database): Promise<string[]> {
  if (!(await hasTable(database, 'kysely_migration'))) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database,
  );
  return rows.map(({ name }) => name);
}

async function listReach(database: Database): Promise<ReadonlyMap<string, string>> {
  if (!(await hasTable(database, 'schema_reach'))) return new Map();
  const { rows } = await sql<{ migration: string; runs_with: string }>`
    select migration, runs_with from schema_reach`.execute(database);
  return new Map(rows.map((row) => [row.migration, row.runs_with]));
}

async function hasTable(database: Database, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(
    database,
  );
  return rows[0]?.found === true;
}

// Migrates the database to the newest schema, as its owner; safe to call from several processes at once. The schema is the SQL files of
// `records/schema`, in the order of ROOMS; a change after a release is a separate migration after '0001-schema'.
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import { installQueues } from '../jobs/install-queues.ts';
import { refreshViews } from '../schema/views.ts';
import { type Database, openDatabase } from './database.ts';
import { grantToProduct, makeProductRoles } from './product-role.ts';

/** The files of `schema/`; each may refer to earlier ones. */
const ROOMS = [
  'guards',
  'keys',
  'people',
  'brokerage',
  'practice',
  'catalogue',
  'results',
  'claims',
  'deciders',
  'builder',
  'trading',
  'expectation',
  'suitability',
  'ledger',
  'flows',
  'capacity',
  'cash',
  'fees',
  'billing',
  'incidents',
  'notifications',
  'news',
  'api-keys',
  'webhooks',
  'operations',
  'recovery',
  'audit',
  'rows',
];

const MIGRATIONS: Record<string, Migration> = {
  '0001-schema': {
    async up(database) {
      for (const room of ROOMS) await sql.raw(readRoom(room)).execute(database);
    },
  },
};

export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS).toSorted();

const provider: MigrationProvider = { getMigrations: () => Promise.resolve(MIGRATIONS) };

/**
 * Throws when a migration fails; the database then stays as it was before that migration. `place` is where the
 * database is stored, for the error that refuses one of another version.
 */
export async function migrate(database: Database, place = 'this database'): Promise<void> {
  const unknown = (await listMigrations(database)).filter((name) => MIGRATIONS[name] === undefined);
  if (unknown.length > 0) {
    throw new Error(
      `${place} holds the records of another version of Bellwether (migration ${unknown[0]}), which this version can ` +
        'neither read nor convert. Nothing in it was changed. Start with another folder (DATA_DIR) or database ' +
        '(DATABASE_URL), or move this one away; to see its records, start the version that wrote them.',
    );
  }
  await makeProductRoles(database);
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  if (error) throw error;
  await installQueues(database);
  await refreshViews(database);
  await grantToProduct(database);
}

/** The same over a connection of its own, which is the owner's. */
export async function migrateAsOwner(ownerUrl: string, place?: string): Promise<void> {
  const handle = openDatabase(ownerUrl, { poolSize: 1 });
  try {
    await migrate(handle.database, place);
  } finally {
    await handle.close();
  }
}

export async function listMigrations(database: Database): Promise<string[]> {
  const table = await sql<{
    found: boolean;
  }>`select to_regclass('kysely_migration') is not null as found`.execute(database);
  if (table.rows[0]?.found !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database,
  );
  return rows.map(({ name }) => name);
}

function readRoom(room: string): string {
  return readFileSync(new URL(`../schema/${room}.sql`, import.meta.url), 'utf8');
}

// Migrates the database to the newest schema, as its owner, beside the running product; safe to call from several processes at once.
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { installQueues } from '../jobs/install-queues.ts';
import { migrationsOf, SCHEMA_CHANGES, type SchemaChange } from '../schema/migrations.ts';
import { refreshViews } from '../schema/views.ts';
import { type Database, openDatabase } from './database.ts';
import { grantToProduct, makeProductRoles } from './product-role.ts';
import { findSchema } from './schema-state.ts';

type MigrateOptions = {
  /** Where the database is stored, for the sentence that refuses it. */
  readonly place?: string;
  readonly changes?: readonly SchemaChange[];
};

/**
 * Throws when a migration fails; the database then stays as it was before that migration. Changes nothing where a newer version
 * migrated it further: this version runs there too, or is refused.
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<void> {
  // One at a time: the job queue's library takes no lock before it makes its schema.
  await database.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtextextended('migration', 0))`.execute(connection);
    const unlock = () => sql`select pg_advisory_unlock(hashtextextended('migration', 0))`.execute(connection);
    try {
      await migrateAlone(connection, options);
    } catch (error) {
      // Where the connection can do nothing more, the lock ends with it.
      await unlock().catch(() => undefined);
      throw error;
    }
    await unlock();
  });
}

async function migrateAlone(
  database: Database,
  { place = 'this database', changes = SCHEMA_CHANGES }: MigrateOptions,
): Promise<void> {
  const found = await findSchema(database, changes);
  if (found.state === 'other')
    throw new Error(
      `${place} holds the records of another version of Bellwether (migration ${found.unknown}), which this version can ` +
        'neither read nor convert. Nothing in it was changed. Start with another folder (DATA_DIR) or database ' +
        '(DATABASE_URL), or move this one away; to see its records, start the version that wrote them.',
    );
  // Its views and rights are those of the newer version.
  if (found.state === 'newer') return;
  await makeProductRoles(database);
  const { error } = await new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve(migrationsOf(changes)) },
  }).migrateToLatest();
  if (error) throw error;
  await installQueues(database);
  // Together: a view without its rights would fail a statement of a process that runs.
  await database.transaction().execute(async (trx) => {
    await refreshViews(trx);
    await grantToProduct(trx);
  });
}

/** The same over a connection of its own, which is the owner's. */
export async function migrateAsOwner(ownerUrl: string, place?: string): Promise<void> {
  await patiently(async () => {
    const handle = openDatabase(ownerUrl, { poolSize: 1, patienceMs: LOCK_WAIT_MS });
    try {
      await migrate(handle.database, place === undefined ? {} : { place });
    } finally {
      await handle.close();
    }
  });
}

/**
 * A change of a table that waits for a long read makes everybody wait behind it. So it lets them pass after a moment, and tries
 * again: what was done by then is not done twice.
 */
const LOCK_WAIT_MS = 3_000;
const ATTEMPTS_MAX = 60;
const BETWEEN_ATTEMPTS_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

async function patiently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (attempt === ATTEMPTS_MAX)
        throw new Error(
          'the schema was not changed: other statements held its tables all the while. Look for the oldest ones in ' +
            'pg_stat_activity, and run this again',
          { cause: error },
        );
      await pause(BETWEEN_ATTEMPTS_MS);
    }
  }
}

// Brings the database to the newest schema; safe to call from several processes at once.
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import * as foundation from './migrations/0001-foundation.ts';

const MIGRATIONS: Record<string, Migration> = { '0001-foundation': foundation };

const provider: MigrationProvider = { getMigrations: () => Promise.resolve(MIGRATIONS) };

/** Throws when a migration fails; the database then stays as it was before that migration. */
export async function migrate(database: Database): Promise<void> {
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  if (error) throw error;
}

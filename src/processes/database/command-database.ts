// The database for a command that runs next to the product or while it is stopped: the named one, the embedded one if
// it is already running, or the embedded one started for the duration of the command.
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';
import { readSchemaState } from '#records/postgres/schema-state.ts';
import { markRestoration } from '#records/recovery/restorations.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { lockDataDir } from '../start/data-lock.ts';
import { type DatabaseAddresses, findRunningDatabase, startDatabase } from './embedded-postgres.ts';
import type { Environment } from '../environment/environment.ts';
import { placeOf } from './world-database.ts';

type Databases = Pick<Environment, 'databaseUrl' | 'databaseOwnerUrl' | 'dataDir'> &
  Partial<Pick<Environment, 'hasSynchronousStandby'>>;

/**
 * Runs `work` as the product on a migrated database, by default the one with imported bars, and restores the previous state.
 */
export async function withCommandDatabase<Result>(
  environment: Databases,
  work: (handle: DatabaseHandle) => Promise<Result>,
  database = 'bellwether',
): Promise<Result> {
  const { databaseUrl: url, databaseOwnerUrl: ownerUrl, hasSynchronousStandby } = environment;
  const running = url === null ? findRunningDatabase(environment.dataDir, database) : { url, ownerUrl };
  const place = placeOf(environment);
  if (running !== null) return withHandle(running, { place, hasSynchronousStandby }, work);
  const lock = lockDataDir(environment.dataDir);
  try {
    const server = await startDatabase(environment.dataDir);
    try {
      return await withHandle(await server.openOther(database), { place }, work);
    } finally {
      await server.stop();
    }
  } finally {
    lock.release();
  }
}

async function withHandle<Result>(
  { url, ownerUrl }: Pick<DatabaseAddresses, 'url'> & { readonly ownerUrl: string | null },
  { place, hasSynchronousStandby }: { readonly place: string; readonly hasSynchronousStandby?: boolean },
  work: (handle: DatabaseHandle) => Promise<Result>,
): Promise<Result> {
  if (ownerUrl === null) await refuseOtherSchema(url, place);
  else await migrateAsOwner(ownerUrl, place);
  const handle = openDatabase(url);
  try {
    await markRestoration(handle.database, wallInstant(Date.now()), { hasSynchronousStandby });
    return await work(handle);
  } finally {
    await handle.close();
  }
}

/** Without the owner nothing is migrated: the schema must be this version's already. */
async function refuseOtherSchema(url: string, place: string): Promise<void> {
  const { schema } = await readSchemaState(url);
  if (schema === 'current' || schema === 'newer') return;
  throw new Error(
    `${place} ${schema === 'none' ? 'is empty' : 'has the schema of another version'}, and only its owner may change that: ` +
      'set DATABASE_OWNER_URL to the address of the owner for this command, such as npm run catalogue',
  );
}

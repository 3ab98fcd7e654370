// The database for a command that runs next to the product or while it is stopped: the named one, the embedded one if
// it is already running, or the embedded one started for the duration of the command.
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { migrate } from '#records/postgres/migrate.ts';
import { lockDataDir } from '../start/data-lock.ts';
import { findRunningDatabase, startDatabase } from './embedded-postgres.ts';
import type { Environment } from '../environment/environment.ts';
import { placeOf } from './world-database.ts';

/** Runs `work` on a migrated database, by default the one with imported bars, and restores the previous state. */
export async function withCommandDatabase<Result>(
  environment: Pick<Environment, 'databaseUrl' | 'dataDir'>,
  work: (handle: DatabaseHandle) => Promise<Result>,
  database = 'bellwether',
): Promise<Result> {
  const running = environment.databaseUrl ?? findRunningDatabase(environment.dataDir, database);
  const place = placeOf(environment);
  if (running !== null) return withHandle(running, place, work);
  const lock = lockDataDir(environment.dataDir);
  try {
    const server = await startDatabase(environment.dataDir);
    try {
      return await withHandle(await server.openOther(database), place, work);
    } finally {
      await server.stop();
    }
  } finally {
    lock.release();
  }
}

async function withHandle<Result>(
  url: string,
  place: string,
  work: (handle: DatabaseHandle) => Promise<Result>,
): Promise<Result> {
  const handle = openDatabase(url);
  try {
    await migrate(handle.database, place);
    return await work(handle);
  } finally {
    await handle.close();
  }
}

// The database for a command that runs beside the product or while it stands still: the one that was named, the
// embedded one where it already runs, or the embedded one started for as long as the command takes.
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { migrate } from '#records/postgres/migrate.ts';
import { lockDataDir } from '../start/data-lock.ts';
import { findRunningDatabase, startDatabase } from './embedded-postgres.ts';
import type { Environment } from '../environment/environment.ts';
import { placeOf } from './world-database.ts';

/** Runs `work` on a migrated database, the one with imported bars unless another is named, and leaves all as it was. */
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

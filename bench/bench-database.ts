// A migrated database of a bench's own, with a session on it as the API has it and one that may write.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDatabase } from '#processes/database/embedded-postgres.ts';
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';

export type BenchDatabase = {
  readonly records: DatabaseHandle;
  readonly writer: DatabaseHandle;
  readonly ownerUrl: string;
};

/** It is gone when `work` has ended. */
export async function onBenchDatabase(work: (database: BenchDatabase) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bellwether-bench-'));
  const server = await startDatabase(dataDir);
  const records = openDatabase(server.url, { poolSize: 8, asApi: true });
  const writer = openDatabase(server.url, { poolSize: 1 });
  try {
    await migrateAsOwner(server.ownerUrl);
    await work({ records, writer, ownerUrl: server.ownerUrl });
  } finally {
    await records.close();
    await writer.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(server.home, { recursive: true, force: true });
  }
}

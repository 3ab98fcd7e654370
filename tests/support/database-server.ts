// Starts one PostgreSQL for a whole test run, with a migrated database that each test file copies.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { type DatabaseAddresses, startDatabase } from '#processes/database/embedded-postgres.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    database: DatabaseAddresses;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bellwether-test-'));
  // TEST_POSTGRES names the folder of another server's programs, such as /usr/lib/postgresql/15.
  const server = await startDatabase(dataDir, process.env.TEST_POSTGRES);
  await migrateAsOwner(server.ownerUrl);
  const handle = openDatabase(server.ownerUrl);
  // This server never loses power: writes need not reach the disk.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await handle.pool.query(`alter system set ${setting} = off`);
  await handle.pool.query('select pg_reload_conf()');
  await handle.close();
  project.provide('database', { ownerUrl: server.ownerUrl, url: server.url });
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(server.home, { recursive: true, force: true });
  };
}

// A migrated database for one test file, dropped when the file is done. The product reads and writes it by its own role, as it
// does when it runs; what only its owner may do, a test does as the owner.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';

export type TestDatabase = DatabaseHandle & {
  readonly url: string;
  /** Changes the schema, and switches triggers off. */
  readonly owner: pg.Pool;
  readonly ownerUrl: string;
};

/** Call at the top of a test file. `empty`: as its owner finds it before the first migration. */
export async function testDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const template = inject('database');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = await administrator(template.ownerUrl);
  await admin.query(`create database ${name} template ${empty ? 'template0' : 'bellwether'}`);
  await admin.end();
  const [url, ownerUrl] = [template.url, template.ownerUrl].map((one) => one.replace(/bellwether$/, name));
  const handle = openDatabase(url!);
  const owner = ownerPool(ownerUrl!);
  afterAll(async () => {
    await handle.close();
    await owner.end();
    const last = await administrator(template.ownerUrl);
    await last.query(`drop database ${name} with (force)`);
    await last.end();
  });
  return { ...handle, url: url!, owner, ownerUrl: ownerUrl! };
}

/** Opens a connection when one is needed. */
export function ownerPool(ownerUrl: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  pool.on('error', () => undefined);
  return pool;
}

async function administrator(ownerUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl.replace(/bellwether$/, 'postgres') });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

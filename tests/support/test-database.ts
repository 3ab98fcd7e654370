// A migrated database for one test file, dropped when the file is done.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';

export type TestDatabase = DatabaseHandle & { readonly url: string };

/** Call at the top of a test file. */
export async function testDatabase(): Promise<TestDatabase> {
  const template = inject('databaseUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = await administrator(template);
  await admin.query(`create database ${name} template bellwether`);
  await admin.end();
  const url = template.replace(/bellwether$/, name);
  const handle = openDatabase(url);
  afterAll(async () => {
    await handle.close();
    const last = await administrator(template);
    await last.query(`drop database ${name} with (force)`);
    await last.end();
  });
  return { ...handle, url };
}

async function administrator(template: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: template.replace(/bellwether$/, 'postgres') });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

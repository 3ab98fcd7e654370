// A fresh copy of the migrated database for one world, dropped when the world is over.
import pg from 'pg';
import { openDatabase } from '#records/postgres/database.ts';
import type { TestDatabase } from '../support/test-database.ts';

/** `template` is the address of the migrated database; it must have no connections. */
export async function withDatabase<Value>(
  template: string,
  name: string,
  work: (records: TestDatabase) => Promise<Value>,
): Promise<Value> {
  await administer(template, `create database ${name} template bellwether`);
  // This server never loses power, so a commit need not wait for the disk.
  await administer(template, `alter database ${name} set synchronous_commit = off`);
  const url = template.replace(/bellwether$/, name);
  const handle = openDatabase(url);
  try {
    return await work({ ...handle, url });
  } finally {
    await handle.close();
    await administer(template, `drop database ${name} with (force)`);
  }
}

async function administer(template: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: template.replace(/bellwether$/, 'postgres') });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(statement);
  await client.end();
}

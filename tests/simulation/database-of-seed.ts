// A fresh copy of the migrated database for one world, dropped when the world is over.
import pg from 'pg';
import { openDatabase } from '#records/postgres/database.ts';
import type { DatabaseAddresses } from '#processes/database/embedded-postgres.ts';
import { ownerPool, type TestDatabase } from '../support/test-database.ts';

/** `template` is the migrated database; it must have no connections. */
export async function withDatabase<Value>(
  { url: template, ownerUrl: administration }: DatabaseAddresses,
  name: string,
  work: (records: TestDatabase) => Promise<Value>,
): Promise<Value> {
  await administer(administration, `create database ${name} template bellwether`);
  // This server never loses power, so a commit need not wait for the disk.
  await administer(administration, `alter database ${name} set synchronous_commit = off`);
  const url = template.replace(/bellwether$/, name);
  const handle = openDatabase(url);
  const ownerUrl = administration.replace(/bellwether$/, name);
  const owner = ownerPool(ownerUrl);
  try {
    return await work({ ...handle, url, owner, ownerUrl });
  } finally {
    await handle.close();
    await owner.end();
    await administer(administration, `drop database ${name} with (force)`);
  }
}

async function administer(administration: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: administration.replace(/bellwether$/, 'postgres') });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(statement);
  await client.end();
}

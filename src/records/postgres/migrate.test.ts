import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { testDatabase } from '../../../tests/support/test-database.ts';

const { database } = await testDatabase();

test('a database that is up to date stays as it is', async () => {
  await migrate(database);
  expect((await sql`select from trading_shards`.execute(database)).rows).toHaveLength(65);
});

test('a database of another version is refused with where it is kept and what to do, and is not touched', async () => {
  await sql`update kysely_migration set name = '0001-people'`.execute(database);
  await expect(migrate(database, 'The data folder /srv/bellwether')).rejects.toThrow(
    /^The data folder \/srv\/bellwether holds the records of another version of Bellwether \(migration 0001-people\).*Nothing in it was changed.*DATA_DIR.*DATABASE_URL/,
  );
  expect((await sql`select name from kysely_migration`.execute(database)).rows).toEqual([
    { name: '0001-people' },
  ]);
  expect((await sql`select from trading_shards`.execute(database)).rows).toHaveLength(65);
});

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { idList } from './id-list.ts';

const { database } = await testDatabase();
const read = async (ids: readonly string[]) => {
  const { rows } = await sql<{ ids: string[] }>`select ${idList(ids)}::uuid[] as ids`.execute(database);
  return rows[0]?.ids;
};

test('any number of ids arrives as it was sent, in its order', async () => {
  const many = Array.from({ length: 3_000 }, () => crypto.randomUUID());
  for (const ids of [[], many.slice(0, 1), many, many.toReversed()]) expect(await read(ids)).toEqual(ids);
});

test('what is no UUID is refused before anything is sent', () => {
  expect(() => idList([crypto.randomUUID(), 'null'])).toThrow('not a UUID: null');
});

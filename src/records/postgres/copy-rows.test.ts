import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { binaryRows } from './binary-rows.ts';
import { copyRows } from './copy-rows.ts';

const { database, pool } = await testDatabase();
await pool.query(`create table notes (id integer primary key, text text)`);
const into = { table: 'notes', columns: ['id', 'text'] };
const notes = (...pairs: [number, string][]) => {
  const rows = binaryRows(2);
  for (const [id, text] of pairs) {
    rows.row();
    rows.integer(id);
    rows.text(text);
  }
  return rows.bytes();
};
const stored = async () => (await pool.query(`select id, text from notes order by id`)).rows;

test('a row that is there already leaves none of the batch behind, and the connection goes on', async () => {
  await database.transaction().execute((trx) => copyRows(trx, into, notes([0, 'first'])));
  const before = await stored();
  expect(before).toEqual([{ id: 0, text: 'first' }]);
  const repeat = database.transaction().execute(async (trx) => {
    await copyRows(trx, into, notes([900, 'new']));
    await copyRows(trx, into, notes([901, 'new'], [0, 'repeated']));
  });
  await expect(repeat).rejects.toMatchObject({ code: '23505' });
  expect(await stored()).toEqual(before);
  expect((await sql<{ one: number }>`select 1 as one`.execute(database)).rows).toEqual([{ one: 1 }]);
});

test('an order of a deployment that is not there is refused', async () => {
  const insert = pool.query(
    `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
       quantity, limit_price, reference_price, status, decided_at)
     values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'BW1', 'c', 'rebalance', 1, 'AAA', 'buy', 1, 1, 1,
       'intended', now())`,
  );
  await expect(insert).rejects.toMatchObject({ code: '23503' });
});

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../tests/support/test-database.ts';
import { COPY_NULL, copyField, copyLines, copyRows } from './copy-rows.ts';

const { database, pool } = await testDatabase();
await pool.query(`create table notes (id integer primary key, text text)`);
const into = { table: 'notes', columns: ['id', 'text'] };
const stored = async () => (await pool.query(`select id, text from notes order by id`)).rows;

test('every text comes back as it went in, and null stays apart from its own name', async () => {
  const texts = ['plain', 'a\tb', 'a\nb\r\n', 'back\\slash', '\\N', '\\.', '', 'é ☂ 𝄞', '{"a":"\\u0041\\n"}'];
  const lines = copyLines();
  for (const [id, text] of texts.entries()) lines.add(`${id}\t${copyField(text)}\n`);
  lines.add(`${texts.length}\t${COPY_NULL}\n`);
  await database.transaction().execute((trx) => copyRows(trx, into, lines.bytes()));
  expect(await stored()).toEqual([...texts, null].map((text, id) => ({ id, text })));
});

test('lines of any length follow each other without a gap', () => {
  const texts = ['a\n', `${'☂'.repeat(5_000)}\n`, 'b\n', `${'x'.repeat(40_000)}\n`];
  const lines = copyLines();
  for (const text of texts) lines.add(text);
  expect(Buffer.from(lines.bytes()).toString()).toBe(texts.join(''));
});

test('a row that is there already leaves none of the batch behind, and the connection goes on', async () => {
  const before = await stored();
  const repeat = database.transaction().execute(async (trx) => {
    await copyRows(trx, into, Buffer.from('900\tnew\n'));
    await copyRows(trx, into, Buffer.from('901\tnew\n0\trepeated\n'));
  });
  await expect(repeat).rejects.toMatchObject({ code: '23505' });
  expect(await stored()).toEqual(before);
  expect((await sql<{ one: number }>`select 1 as one`.execute(database)).rows).toEqual([{ one: 1 }]);
});

test('an order of a deployment that is not there is refused', async () => {
  const insert = pool.query(
    `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
       quantity, limit_price, reference_price, status, notes, decided_at)
     values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'BW1', 'c', 'rebalance', 1, 'AAA', 'buy', 1, 1, 1,
       'intended', '', now())`,
  );
  await expect(insert).rejects.toMatchObject({ code: '23503' });
});

// Fees after a restore of the database: a bill that was written after the moment is written again under its id, and none is before
// the broker was compared.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { feeDesk } from '#tests/support/fee-desk.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { parseInstant } from '#units/instant.ts';
import { billBatch } from './bill-fees.ts';

const handle = await testDatabase();
const desk = await feeDesk(handle);
const { pool, database } = handle;
const END = '2026-04-01T00:00:00Z';

test('a bill that the restore took back comes again under the same id, by which the payment service knows what was paid', async () => {
  const { id } = await desk.begin('monthly');
  await desk.earn(id, 1_000, '2026-03-20T15:00:00Z');
  const bills = `select id, number, fee_micro from fee_bills where deployment_id = $1`;
  let before: unknown[] = [];
  const takenBack = database.transaction().execute(async (trx) => {
    await billBatch(trx, [id], { now: parseInstant(END), newId: randomUUID });
    before = await trx
      .selectFrom('fee_bills')
      .select(['id', 'number', 'fee_micro'])
      .where('deployment_id', '=', id)
      .execute();
    throw new Error('taken back');
  });
  await expect(takenBack).rejects.toThrow('taken back');
  expect((await pool.query(bills, [id])).rows).toEqual([]);
  await desk.bill(END);
  expect(before).toHaveLength(1);
  expect((await pool.query(bills, [id])).rows).toEqual(before);
});

test('nothing is billed before the account was compared with its broker', async () => {
  const { id } = await desk.begin('monthly');
  await desk.earn(id, 1_000, '2026-03-20T15:00:00Z');
  await pool.query(
    `with r as (insert into restorations (cause) values ('stated') returning id)
    insert into unsettled_connections select d.broker_connection_id, r.id from deployments d, r where d.id = $1`,
    [id],
  );
  await desk.bill(END);
  expect(await desk.bills(id)).toEqual([]);
  await pool.query(`delete from unsettled_connections`);
  await desk.bill(END);
  expect(await desk.bills(id)).toHaveLength(1);
  expect(await desk.violations()).toEqual([]);
});

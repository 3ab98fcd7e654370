import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../../../tests/support/trading-world.ts';

const handle = await testDatabase();
const { pool } = handle;
const world = await tradingWorld(handle);
const id = await world.deploy(await world.addStrategy(BOTH_ABOVE_30));
const other = await world.deploy(await world.addStrategy({ ...BOTH_ABOVE_30, name: 'Another' }));
const move = () =>
  pool.query(
    `update deployments set broker_connection_id = (select broker_connection_id from deployments where id = $2)
     where id = $1`,
    [id, other],
  );

test('a deployment with orders stays with its connection, through which its open orders are found', async () => {
  const { rows } = await pool.query(
    `select count(distinct broker_connection_id)::int as connections from deployments`,
  );
  expect(rows).toEqual([{ connections: 2 }]);
  await pool.query(
    `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
       quantity, limit_price, reference_price, status, decided_at)
     select gen_random_uuid(), id, broker_connection_id, 'BW1', 'c', 'rebalance', 1, 'AAA', 'buy', 1, 1, 1, 'intended', now() from deployments where id = $1`,
    [id],
  );
  await expect(move()).rejects.toMatchObject({ code: '23503' });
  await pool.query(`update deployments set broker_connection_id = broker_connection_id where id = $1`, [id]);
});

test('a deployment is never removed and keeps its id, also without orders: none is looked for under a lock', async () => {
  const { rows } = await pool.query(`select count(*)::int as orders from orders where deployment_id = $1`, [
    other,
  ]);
  expect(rows).toEqual([{ orders: 0 }]);
  const remove = pool.query(`delete from deployments where id = $1`, [other]);
  await expect(remove).rejects.toMatchObject({ code: '23503' });
  const rename = pool.query(`update deployments set id = gen_random_uuid() where id = $1`, [other]);
  await expect(rename).rejects.toMatchObject({ code: '23503' });
});

// A mark is shown again and again: what it reads must not grow with all that a deployment has ever done.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { RESTLESS } from '#tests/kill-campaign/strategies.ts';
import { insertDeployment, insertStrategy } from '#tests/support/trading-rows.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { parseInstant } from '#units/instant.ts';
import { openDatabase } from '../postgres/database.ts';
import { asEverybody } from '../postgres/row-scope.ts';
import { readDeployments } from './deployment-views.ts';

const { database, pool, owner, url } = await testDatabase();
const now = () => parseInstant('2026-01-05T12:00:00Z');
const rows = { database, pool, newId: randomUUID, now };

const DEPLOYMENTS = 20;
const ORDERS_EACH = 1_000;
const TRIPS_EACH = 500;
/** A third of its orders were withdrawn, and every fifth round trip lost money. */
const HISTORY = { trades: 667, closed: 500, won: 400, lost: 100 };

const deployments = await fill();

test('shows how often a deployment has traded without reading its orders and round trips', async () => {
  const api = openDatabase(url, { asApi: true, poolSize: 1 });
  try {
    const before = await readRows();
    const shown = await asEverybody(() => readDeployments(api.pool, [deployments[0]!]));
    expect(shown.get(deployments[0]!)).toMatchObject(HISTORY);
    await asEverybody(() => api.pool.query('select pg_stat_force_next_flush()'));
    await asEverybody(() => api.pool.query('select 1'));
    const after = await readRows();
    // Protective stops are looked for among orders; there are none.
    expect(after.orders - before.orders).toBeLessThan(20);
    expect(after.round_trips - before.round_trips).toBeLessThan(20);
  } finally {
    await api.close();
  }
});

/** Rows of the tables themselves that any statement has read, with or without an index. */
async function readRows(): Promise<{ readonly orders: number; readonly round_trips: number }> {
  const { rows: found } = await owner.query<{ name: string; read: number }>(
    `select relname as name, (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables
     where schemaname = 'public' and relname in ('orders', 'round_trips')`,
  );
  const read = Object.fromEntries(found.map((row) => [row.name, row.read]));
  return { orders: read.orders!, round_trips: read.round_trips! };
}

async function fill(): Promise<string[]> {
  const version = await insertStrategy(rows, RESTLESS[0]!);
  const ids: string[] = [];
  for (let i = 0; i < DEPLOYMENTS; i++) ids.push(await insertDeployment(rows, version));
  const client = await owner.connect();
  // Years of a life that nobody has lived: without its rules.
  await client.query(`set session_replication_role = replica`);
  await client.query(
    `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side, quantity,
       limit_price, reference_price, filled_quantity, status, decided_at, priced_at, ended_at)
     select gen_random_uuid(), d.id, d.broker_connection_id, d.id || '-' || n, 'c' || n, 'rebalance', 1, 'S1', 'buy', 1, 1, 1,
       case when n % 3 = 0 then 0 else 1 end, case when n % 3 = 0 then 'withdrawn' else 'filled' end, t.at, t.at, t.at
     from generate_series(1, ${ORDERS_EACH}) n, deployments d, lateral (select timestamptz '2022-01-01' + n * interval '1 day' as at) t`,
  );
  await client.query(
    `insert into round_trips (deployment_id, symbol, number, side, opened_at, closed_at, quantity, entry_price, exit_price,
       entry_value_micro, commission_micro, income_micro, pnl_micro, closed_by, first_place, last_place, is_reversal)
     select d.id, 'S1', n, 'long', t.at, t.at + interval '1 day', 1, 1, 1, 1, 0, 0, case when n % 5 = 0 then -1 else 1 end,
       'order', n, n, false
     from generate_series(1, ${TRIPS_EACH}) n, deployments d, lateral (select timestamptz '2022-01-01' + n * interval '2 days' as at) t`,
  );
  client.release(true);
  await owner.query('vacuum analyze');
  return ids;
}

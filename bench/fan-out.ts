// From a closed bar to the commit of the last order: prices, ingest, evaluation and fan-out in the trader's own tick, for
// 1,000 and 10,000 deployments of one strategy on a real database; beside it plain inserts of the same orders into a
// bare keyed table and one transaction per deployment. Ratios of one run are what counts.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pool } from 'pg';
import { startDatabase } from '#processes/embedded-postgres.ts';
import { openDatabase } from '#records/database.ts';
import { migrate } from '#records/migrate.ts';
import { BOTH_ABOVE_30, type TradingWorld, tradingWorld } from '../tests/support/trading-world.ts';

const ROUNDS = 5;
const ORDERS_EACH = 2;

const dataDir = mkdtempSync(path.join(tmpdir(), 'bellwether-bench-'));
const server = await startDatabase(dataDir);
const handle = openDatabase(server.url);
try {
  await migrate(handle.database);
  console.log('deployments  orders   bar to last durable order: median, best  deployments/s  orders/s');
  for (const count of [1_000, 10_000]) await bench(count);
} finally {
  await handle.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(server.home, { recursive: true, force: true });
}

async function bench(count: number): Promise<void> {
  const { pool } = handle;
  const world = await tradingWorld({ ...handle, url: server.url });
  await pool.query(`truncate users, strategies, broker_connections, brokers cascade`);
  const version = await world.addStrategy(BOTH_ABOVE_30);
  const first = await world.deploy(version);
  // No account: the intents stay where they are, durable and unsent.
  await pool.query(`update broker_connections set account_id = null`);
  await multiply(pool, first, count);
  await world.trader.tick();
  const times: number[] = [];
  const orders = count * ORDERS_EACH;
  for (let round = 0; round <= ROUNDS; round++) {
    const took = await timeRound(world, orders);
    if (round > 0) times.push(took);
  }
  const again = await world.trader.tick();
  if (again.ordersWritten !== 0) throw new Error('a repeated tick wrote orders again');
  const raw = await timeRaw(pool, orders);
  const single = await timeOneByOne(pool, Math.min(count, 1_000));
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
  const perSecond = count / (median / 1_000);
  console.log(
    `${String(count).padStart(11)}  ${String(orders).padStart(6)}   ${`${median.toFixed(0)} ms, ${Math.min(...times).toFixed(0)} ms`.padStart(42)}  ${perSecond.toFixed(0).padStart(13)}  ${(perSecond * ORDERS_EACH).toFixed(0).padStart(8)}`,
  );
  console.log(
    `             plain keyed insert of the same orders ${raw.toFixed(0)} ms (${((raw / median) * 100).toFixed(0)}% of it); one transaction per deployment ${single.toFixed(0)}/s (this is ${(perSecond / single).toFixed(1)} times that)`,
  );
  await world.trader.close();
}

/** One close, one tick; the strategy wants something new of everybody. */
async function timeRound({ market, trader }: TradingWorld, orders: number): Promise<number> {
  await handle.pool.query(`truncate orders, receipts cascade`);
  await handle.pool.query(`update deployments set applied_target_id = null, marked_at = now()`);
  await handle.pool.query(`vacuum analyze deployments`);
  market.closeDay();
  const commits = watchOrderCommits(handle.pool);
  const start = performance.now();
  const report = await trader.tick();
  const took = commits.last() - start;
  commits.stop();
  if (report.ordersWritten !== orders || report.problems.length > 0)
    throw new Error(`expected ${orders} orders: ${JSON.stringify(report)}`);
  return took;
}

/** When the last transaction that wrote orders was committed. */
function watchOrderCommits(pool: Pool): { last(): number; stop(): void } {
  const connect = pool.connect.bind(pool);
  let last = Number.NaN;
  pool.connect = (async () => {
    const client = await connect();
    const query = client.query.bind(client);
    let writesOrders = false;
    client.query = (async (...args: Parameters<typeof query>) => {
      const text = String((args[0] as { text?: string }).text ?? args[0]).trimStart();
      if (text.startsWith('insert into orders')) writesOrders = true;
      const result = await query(...args);
      if (text === 'commit' && writesOrders) {
        last = performance.now();
        writesOrders = false;
      }
      return result;
    }) as typeof client.query;
    const release = client.release.bind(client);
    client.release = (...args) => {
      client.query = query;
      client.release = release;
      release(...args);
    };
    return client;
  }) as typeof pool.connect;
  return {
    last: () => last,
    stop: () => {
      pool.connect = connect;
    },
  };
}

async function multiply(pool: Pool, id: string, count: number): Promise<void> {
  await pool.query(`update deployments set status = 'active' where id = $1`, [id]);
  const { rows } = await pool.query<{ column_name: string }>(
    `select column_name from information_schema.columns where table_name = 'deployments' and column_name <> 'id'`,
  );
  const columns = rows.map((row) => row.column_name).join(', ');
  await pool.query(
    `insert into deployments (id, ${columns}) select gen_random_uuid(), ${columns} from deployments, generate_series(2, $1::int)`,
    [count],
  );
  await pool.query(`vacuum analyze deployments`);
}

/** The same number of rows into a table with the same key and nothing else, a thousand deployments at a time. */
async function timeRaw(pool: Pool, orders: number): Promise<number> {
  await pool.query(`drop table if exists bare_orders`);
  await pool.query(`create table bare_orders (id uuid primary key, deployment_id uuid, client_order_id text unique,
    symbol text, side text, quantity numeric, limit_price numeric, decided_at timestamptz)`);
  const ids = Array.from({ length: orders }, () => randomUUID());
  const start = performance.now();
  for (let from = 0; from < orders; from += 1_000 * ORDERS_EACH) {
    const chunk = ids.slice(from, from + 1_000 * ORDERS_EACH);
    await pool.query(
      `insert into bare_orders select id, id, id::text, 'AAA', 'buy', 40, 103, now() from unnest($1::uuid[]) as c (id)`,
      [chunk],
    );
  }
  return performance.now() - start;
}

/** Deployments a second when each gets a transaction of its own. */
async function timeOneByOne(pool: Pool, count: number): Promise<number> {
  await pool.query(`truncate bare_orders`);
  const client = await pool.connect();
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    await client.query('begin');
    for (let order = 0; order < ORDERS_EACH; order++) {
      await client.query(
        `insert into bare_orders values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid()::text, 'AAA', 'buy', 40, 103, now())`,
      );
    }
    await client.query('commit');
  }
  const took = performance.now() - start;
  client.release();
  return count / (took / 1_000);
}

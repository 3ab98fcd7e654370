// From a closed bar to the commit of the last order: prices, ingest, evaluation and fan-out in the trader's own tick,
// for deployments of one strategy, each with its own broker connection, on a real database. The same run also measures
// a raw keyed COPY of the rows that were written: into a copy of the table as it was, with its keys and checks and all
// earlier orders, and into an empty table with one key; and one transaction per deployment. Only ratios within one run
// are meaningful. `--deployments=N` and `--rounds=N` take any number.
import { rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { startDatabase } from '#processes/database/embedded-postgres.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';
import { ownerPool } from '../tests/support/test-database.ts';
import { BOTH_ABOVE_30, type TradingWorld, tradingWorld } from '../tests/support/trading-world.ts';
import { makeReady, multiply } from './many-deployments.ts';
import { median, watchOrderCommits } from './order-commits.ts';

const ORDERS_EACH = 2;
const PART_BYTES = 256 * 1_024;
const { values: options } = parseArgs({
  options: { deployments: { type: 'string' }, rounds: { type: 'string' } },
});
const sizes = options.deployments
  ? [{ count: Number(options.deployments), rounds: Number(options.rounds ?? 5) }]
  : [
      { count: 10_000, rounds: 15 },
      { count: 100_000, rounds: 5 },
    ];

const dataDir = mkdtempSync(path.join(tmpdir(), 'bellwether-bench-'));
const server = await startDatabase(dataDir);
try {
  for (const size of sizes) await bench(size);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(server.home, { recursive: true, force: true });
}

/** In its own database, because what trading wrote cannot be removed. */
async function bench(size: { count: number; rounds: number }): Promise<void> {
  const { url, ownerUrl } = await server.openOther(`fan_out_${size.count}`);
  await migrateAsOwner(ownerUrl);
  const handle = openDatabase(url);
  const owner = ownerPool(ownerUrl);
  try {
    const world = await tradingWorld({ ...handle, url, owner, ownerUrl });
    await measure({ world, owner, pool: handle.pool }, size).finally(() => world.trader.close());
  } finally {
    await handle.close();
    await owner.end();
  }
}

type Stage = {
  readonly world: TradingWorld;
  readonly owner: Pool;
  /** The trader's own. */
  readonly pool: Pool;
};

async function measure(stage: Stage, { count, rounds }: { count: number; rounds: number }): Promise<void> {
  const { world, owner } = stage;
  const version = await world.addStrategy(BOTH_ABOVE_30);
  const first = await world.deploy(version);
  await multiply(owner, first, { connections: count });
  await world.trader.tick();
  const orders = count * ORDERS_EACH;
  const times: number[] = [];
  const raws: Raw[] = [];
  for (let round = 0; round <= rounds; round++) {
    const took = await timeRound(stage, orders);
    if (round === 0) continue;
    times.push(took);
    raws.push(await timeRaw(owner));
  }
  const again = await world.trader.tick();
  if (again.ordersWritten !== 0) throw new Error('a repeated tick wrote orders again');
  const single = await timeOneByOne(owner, 1_000);
  const middle = median(times);
  const perSecond = count / (middle / 1_000);
  const beside = (pick: (raw: Raw) => number) => {
    const share = median(raws.map((raw, round) => pick(raw) / times[round]!));
    return `${median(raws.map(pick)).toFixed(0)} ms (we reach ${(share * 100).toFixed(0)}% of it)`;
  };
  console.log(
    `${count} deployments, ${orders} orders: bar to last durable order, median ${middle.toFixed(0)} ms, best ${Math.min(...times).toFixed(0)}, worst of ${rounds} ${Math.max(...times).toFixed(0)}; ${perSecond.toFixed(0)} deployments/s, ${(perSecond * ORDERS_EACH).toFixed(0)} orders/s`,
  );
  console.log(
    `  raw keyed COPY of the same orders into the table as it was ${beside((raw) => raw.alike)}; into an empty one with one key ${beside((raw) => raw.orders)}, with the receipts ${beside((raw) => raw.orders + raw.receipts)}`,
  );
  console.log(
    `  one transaction per deployment, orders alone: ${single.toFixed(0)}/s (we do ${(perSecond / single).toFixed(1)} times that)`,
  );
}

/** One close, one tick; the strategy sets a new target for every deployment. */
async function timeRound({ world: { market, trader }, owner, pool }: Stage, orders: number): Promise<number> {
  await makeReady(owner);
  market.closeDay();
  const commits = watchOrderCommits(pool);
  const start = performance.now();
  const report = await trader.tick();
  const took = commits.last() - start;
  commits.stop();
  if (report.ordersWritten !== orders || report.problems.length > 0)
    throw new Error(`expected ${orders} orders: ${JSON.stringify(report)}`);
  return took;
}

type Raw = { readonly alike: number; readonly orders: number; readonly receipts: number };

/**
 * The rows that the fan-out wrote, binary, one commit: the orders into a table with the same keys, checks and earlier rows,
 * and orders and receipts into empty ones with one key each and nothing else.
 */
async function timeRaw(pool: Pool): Promise<Raw> {
  const orders = { from: `orders where status = 'intended'`, key: 'target_id, deployment_id, symbol' };
  const receipts = {
    from: 'receipts where at = (select max(at) from receipts)',
    key: 'target_id, deployment_id',
  };
  const oneKey = (table: string, key: string) =>
    `create table bare (like ${table}); alter table bare add primary key (${key})`;
  const asItWas = `create table bare (like orders including all);
    insert into bare select * from orders where status <> 'intended' order by decided_at, ${orders.key}`;
  return {
    alike: await timeCopy(pool, orders, asItWas),
    orders: await timeCopy(pool, orders, oneKey('orders', orders.key)),
    receipts: await timeCopy(pool, receipts, oneKey('receipts', receipts.key)),
  };
}

async function timeCopy(
  pool: Pool,
  { from, key }: { readonly from: string; readonly key: string },
  makeTable: string,
): Promise<number> {
  const client = await pool.connect();
  try {
    const rows = await buffer(
      client.query(copyTo(`copy (select * from ${from} order by ${key}) to stdout (format binary)`)),
    );
    await client.query(makeTable);
    await client.query(`checkpoint`);
    const start = performance.now();
    await pipeline(
      Readable.from(inParts(rows)),
      client.query(copyFrom(`copy bare from stdin (format binary)`)),
    );
    const took = performance.now() - start;
    await client.query(`drop table bare`);
    return took;
  } finally {
    client.release();
  }
}

function* inParts(rows: Buffer): Generator<Buffer> {
  for (let at = 0; at < rows.length; at += PART_BYTES) yield rows.subarray(at, at + PART_BYTES);
}

/** Deployments a second with one transaction each. */
async function timeOneByOne(pool: Pool, count: number): Promise<number> {
  const client = await pool.connect();
  await client.query(`create table single (id uuid primary key, deployment_id uuid, client_order_id text unique,
    symbol text, side text, quantity numeric, limit_price numeric, decided_at timestamptz)`);
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    await client.query('begin');
    for (let order = 0; order < ORDERS_EACH; order++) {
      await client.query(
        `insert into single values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid()::text, 'AAA', 'buy', 40, 103, now())`,
      );
    }
    await client.query('commit');
  }
  const took = performance.now() - start;
  await client.query(`drop table single`);
  client.release();
  return count / (took / 1_000);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { MARKET_SHARD, shardOf, SHARDS } from '#records/operations/trading-shards.ts';
import { setStatus } from '#tests/support/deployment-commands.ts';
import { feeDesk } from '#tests/support/fee-desk.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { LeaseLost } from '#trader/lease-lost.ts';
import { createShardLeases } from '#trader/leases/shard-lease.ts';
import { applyCommands } from '#trader/lifecycle/apply-commands.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { wallInstant } from '#units/wall-instant.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
world.market.closeDay();
await handle.owner.query(
  `create table submissions (client_order_id text, account_id text, process integer, at timestamptz default clock_timestamp())`,
);
const version = await world.addStrategy(BOTH_ABOVE_30);
const processes: ChildProcess[] = [];
afterAll(() => {
  for (const child of processes) child.kill('SIGKILL');
});

const startTrader = (): ChildProcess => {
  const entry = path.resolve(import.meta.dirname, '../support/trader-process.ts');
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, DATABASE_URL: handle.url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  processes.push(child);
  return child;
};
const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const shares = async () =>
  (
    await rows(
      `select count(*)::int as shards from trading_shards where shard < 64 and holder is not null group by holder order by 1`,
    )
  ).map(({ shards }) => shards);
/** How many orders each process has sent since a moment. */
const sent = async (since: string) =>
  new Map<number, number>(
    (
      await rows(
        `select process, count(*)::int as orders from submissions where at >= $1 group by process`,
        since,
      )
    ).map(({ process: pid, orders }) => [pid, orders]),
  );
const now = async (): Promise<string> => (await rows(`select clock_timestamp()::text as at`))[0].at;
const total = (counts: Map<number, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);
const deployMany = async (count: number) => {
  for (let i = 0; i < count; i++) await world.deploy(version);
};
const wait = { timeout: 30_000, interval: 250 };

test('two traders share the work; a stopped or killed one is replaced within 30 s, and no order is sent twice', async () => {
  const first = startTrader();
  await expect.poll(shares, wait).toEqual([64]);
  const second = startTrader();
  await expect.poll(shares, wait).toEqual([32, 32]);

  const begin = await now();
  await deployMany(24);
  await expect.poll(async () => total(await sent(begin)), wait).toBe(48);
  const both = await sent(begin);
  expect(both.get(first.pid!)).toBeGreaterThan(0);
  expect(both.get(second.pid!)).toBeGreaterThan(0);

  second.kill('SIGSTOP');
  const stopped = await now();
  await deployMany(12);
  await expect.poll(async () => total(await sent(stopped)), wait).toBe(24);
  second.kill('SIGCONT');
  await expect.poll(shares, wait).toEqual([32, 32]);
  expect((await sent(stopped)).has(second.pid!)).toBe(false);

  first.kill('SIGKILL');
  const killed = await now();
  await deployMany(12);
  await expect.poll(async () => total(await sent(killed)), wait).toBe(24);
  expect(await shares()).toEqual([64]);
  expect(await rows(`select client_order_id from submissions group by 1 having count(*) > 1`)).toEqual([]);
}, 120_000);

describe('a lease of shards', async () => {
  const handle = await testDatabase();
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const open: { close(): Promise<void> }[] = [];
  const leases = () => {
    const clock = { now: 0 };
    const realNow = () => wallInstant(Date.now());
    const made = createShardLeases({ handle, newId: randomUUID, logger, steadyMs: () => clock.now, realNow });
    open.push(made);
    return { ...made, clock };
  };
  const connection = randomUUID() as string as BrokerConnectionId;
  const fenced = (lease: Awaited<ReturnType<ReturnType<typeof leases>['current']>>) =>
    handle.database.transaction().execute((trx) => lease.fence(trx, [connection]));
  /** As if the database's clock had passed the end of every lease. */
  const runOut = () =>
    handle.pool.query(`update trading_shards set expires_at = clock_timestamp() - interval '1 second'`);

  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  test('the holder of a shard may write for it', async () => {
    const lease = await leases().current();
    expect(lease.shards).toHaveLength(SHARDS);
    expect([lease.hasMarket, lease.isValid()]).toEqual([true, true]);
    await expect(fenced(lease)).resolves.toBeUndefined();
  });

  test('a trader that slept loses its next transaction if another one has its shard, even if its own clock has not moved', async () => {
    const asleep = await leases().current();
    await runOut();
    const other = await leases().current();
    await runOut();
    // The second takes the remaining shards at its next renewals; it has the shard of this connection for certain.
    await handle.pool.query(`update trading_shards set fence = fence + 1 where shard = $1`, [
      shardOf(connection),
    ]);
    expect(asleep.isValid()).toBe(true);
    await expect(fenced(asleep)).rejects.toThrow(LeaseLost);
    expect(other.shards.length).toBeGreaterThan(0);
  });

  test('a holder may not write once its lease has expired on its own clock, even if no one has taken the shard', async () => {
    const slow = leases();
    const lease = await slow.current();
    slow.clock.now += 60_000;
    expect(lease.isValid()).toBe(false);
    await expect(fenced(lease)).rejects.toThrow(LeaseLost);
    expect((await slow.current()).isValid()).toBe(true);
  });

  test('a renewal begun before a long stop of the process is followed by a current one', async () => {
    const stopped = leases();
    await stopped.current();
    stopped.clock.now += 5_000;
    const begun = stopped.current();
    stopped.clock.now += 60_000;
    const lease = await stopped.current();
    expect([lease.isValid(), (await begun).isValid()]).toEqual([true, true]);
    await expect(fenced(lease)).resolves.toBeUndefined();
  });

  test('a released shard is not writable by any earlier lease', async () => {
    const leaving = leases();
    const before = await leaving.current();
    await leaving.release([shardOf(connection)]);
    const after = await leaving.current();
    expect(after.shards).not.toContain(shardOf(connection));
    await expect(fenced(after)).rejects.toThrow(LeaseLost);
    await leaving.close();
    expect(before.isValid()).toBe(false);
    await expect(handle.database.transaction().execute((trx) => before.fenceMarket(trx))).rejects.toThrow(
      LeaseLost,
    );
    const { rows } = await handle.pool.query(
      `select count(*)::int as held from trading_shards where holder is not null`,
    );
    expect(rows).toEqual([{ held: 0 }]);
    expect(MARKET_SHARD).toBe(SHARDS);
  });
});

describe('billing by two at once', async () => {
  const handle = await testDatabase();
  const desk = await feeDesk(handle);
  const { pool } = handle;
  /** BILLING_TRIALS asks for more than fit into every run of all tests. */
  const BILLING_TRIALS = Number(process.env.BILLING_TRIALS ?? 100);
  const NOW = '2026-03-09T00:00:05Z';

  /** Yields the event loop for none, some or many turns, so that each trial meets at another place. */
  const turns = async (count: number) => {
    for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
  };

  test(`in ${BILLING_TRIALS} races of a bill and the end of a liquidation, each is wholly before or after the other`, {
    timeout: 60_000 + BILLING_TRIALS * 500,
  }, async () => {
    const counts = { billFirst: 0, endFirst: 0 };
    let ahead = 0;
    for (let trial = 0; trial < BILLING_TRIALS; trial++) {
      const { id } = await desk.begin('weekly');
      await desk.earn(id, 100, '2026-03-05T15:00:00Z');
      await desk.earn(id, 50, '2026-03-09T00:00:01Z');
      await setStatus(pool, id, 'liquidating');
      const billing = desk.bill(NOW);
      await turns(ahead);
      await applyCommands(desk.at(NOW));
      const { rows } = await pool.query(
        `select d.status, exists (select from fee_bills b where b.deployment_id = d.id) as billed from deployments d where d.id = $1`,
        [id],
      );
      expect(rows[0].status).toBe('liquidated');
      await billing;
      for (let look = 0; look < 2; look++) await desk.bill(NOW);
      expect({ trial, bills: await desk.bills(id) }).toMatchObject({
        trial,
        bills: [
          { end: '2026-03-09', closing: false, fee: 30, mark: 10_100 },
          { end: '2026-03-09', closing: true, fee: 15, mark: 10_150 },
        ],
      });
      // The start converges to the point where the two meet at the speed of this machine, so most trials are close.
      ahead = rows[0].billed ? Math.floor(ahead * 0.8) : Math.ceil(ahead * 1.2) + 5;
      counts[rows[0].billed ? 'billFirst' : 'endFirst'] += 1;
    }
    expect(await desk.violations()).toEqual([]);
    expect(desk.problems).toEqual([]);
    // Both outcomes must occur, or there was no race.
    expect(counts.billFirst).toBeGreaterThan(0);
    expect(counts.endFirst).toBeGreaterThan(0);
  });
});

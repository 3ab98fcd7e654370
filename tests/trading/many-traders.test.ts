import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
world.market.closeDay();
await handle.pool.query(
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

test('two share the work; what a stopped or killed one leaves is taken over within 30 s, and nothing leaves twice', async () => {
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

import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { MARKET_SHARD, SHARDS, shardOf } from '#records/operations/trading-shards.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { createShardLeases, LeaseLost } from './shard-lease.ts';

const handle = await testDatabase();
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const open: { close(): Promise<void> }[] = [];
const leases = () => {
  const clock = { now: 0 };
  const made = createShardLeases({ handle, newId: randomUUID, logger, steadyMs: () => clock.now });
  open.push(made);
  return { ...made, clock };
};
const connection = randomUUID() as string as BrokerConnectionId;
const fenced = (lease: Awaited<ReturnType<ReturnType<typeof leases>['current']>>) =>
  handle.database.transaction().execute((trx) => lease.fence(trx, [connection]));
/** As when the database's clock has passed the end of every lease. */
const runOut = () =>
  handle.pool.query(`update trading_shards set expires_at = clock_timestamp() - interval '1 second'`);

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

test('whoever holds a shard writes for it', async () => {
  const lease = await leases().current();
  expect(lease.shards).toHaveLength(SHARDS);
  expect([lease.hasMarket, lease.isValid()]).toEqual([true, true]);
  await expect(fenced(lease)).resolves.toBeUndefined();
});

test('a trader that slept finds at its next transaction that another one has its shard, whatever its own clock says', async () => {
  const asleep = await leases().current();
  await runOut();
  const other = await leases().current();
  await runOut();
  // The second finds the rest at its next renewals; the shard of this connection is taken for certain.
  await handle.pool.query(`update trading_shards set fence = fence + 1 where shard = $1`, [
    shardOf(connection),
  ]);
  expect(asleep.isValid()).toBe(true);
  await expect(fenced(asleep)).rejects.toThrow(LeaseLost);
  expect(other.shards.length).toBeGreaterThan(0);
});

test('nothing is fenced once the lease has run out on its own clock, though nobody has taken the shard', async () => {
  const slow = leases();
  const lease = await slow.current();
  slow.clock.now += 60_000;
  expect(lease.isValid()).toBe(false);
  await expect(fenced(lease)).rejects.toThrow(LeaseLost);
  expect((await slow.current()).isValid()).toBe(true);
});

test('a renewal that had begun before the process was stopped for long is followed by one of now', async () => {
  const stopped = leases();
  await stopped.current();
  stopped.clock.now += 5_000;
  const begun = stopped.current();
  stopped.clock.now += 60_000;
  const lease = await stopped.current();
  expect([lease.isValid(), (await begun).isValid()]).toEqual([true, true]);
  await expect(fenced(lease)).resolves.toBeUndefined();
});

test('what was let go is fenced no more, by any lease that was given out before', async () => {
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

import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { MARKET_SHARD, SHARDS, shardOf } from '#records/operations/trading-shards.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { createShardKeeper, ShardLost } from './shard-lease.ts';

const handle = await testDatabase();
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const open: { close(): Promise<void> }[] = [];
const keeper = () => {
  const clock = { now: 0 };
  const made = createShardKeeper({ handle, newId: randomUUID, logger, steadyMs: () => clock.now });
  open.push(made);
  return { ...made, clock };
};
const connection = randomUUID() as string as BrokerConnectionId;
const fenced = (hold: Awaited<ReturnType<ReturnType<typeof keeper>['hold']>>) =>
  handle.database.transaction().execute((trx) => hold.fence(trx, [connection]));
/** As when the database's clock has passed the end of every lease. */
const runOut = () =>
  handle.pool.query(`update trading_shards set expires_at = clock_timestamp() - interval '1 second'`);

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

test('whoever holds a shard writes for it', async () => {
  const hold = await keeper().hold();
  expect(hold.shards).toHaveLength(SHARDS);
  expect([hold.hasMarket, hold.lasts()]).toEqual([true, true]);
  await expect(fenced(hold)).resolves.toBeUndefined();
});

test('a trader that slept finds at its next transaction that another one has its shard, whatever its own clock says', async () => {
  const asleep = await keeper().hold();
  await runOut();
  const other = await keeper().hold();
  await runOut();
  // The second finds the rest at its next renewals; the shard of this connection is taken for certain.
  await handle.pool.query(`update trading_shards set fence = fence + 1 where shard = $1`, [
    shardOf(connection),
  ]);
  expect(asleep.lasts()).toBe(true);
  await expect(fenced(asleep)).rejects.toThrow(ShardLost);
  expect(other.shards.length).toBeGreaterThan(0);
});

test('nothing is fenced once the lease has run out on its own clock, though nobody has taken the shard', async () => {
  const slow = keeper();
  const hold = await slow.hold();
  slow.clock.now += 60_000;
  expect(hold.lasts()).toBe(false);
  await expect(fenced(hold)).rejects.toThrow(ShardLost);
  expect((await slow.hold()).lasts()).toBe(true);
});

test('a renewal that had begun before the process was stopped for long is followed by one of now', async () => {
  const stopped = keeper();
  await stopped.hold();
  stopped.clock.now += 5_000;
  const begun = stopped.hold();
  stopped.clock.now += 60_000;
  const hold = await stopped.hold();
  expect([hold.lasts(), (await begun).lasts()]).toEqual([true, true]);
  await expect(fenced(hold)).resolves.toBeUndefined();
});

test('what was let go is fenced no more, by any hold that was given out before', async () => {
  const leaving = keeper();
  const before = await leaving.hold();
  await leaving.release([shardOf(connection)]);
  const after = await leaving.hold();
  expect(after.shards).not.toContain(shardOf(connection));
  await expect(fenced(after)).rejects.toThrow(ShardLost);
  await leaving.close();
  expect(before.lasts()).toBe(false);
  await expect(handle.database.transaction().execute((trx) => before.fenceMarket(trx))).rejects.toThrow(
    ShardLost,
  );
  const { rows } = await handle.pool.query(
    `select count(*)::int as held from trading_shards where holder is not null`,
  );
  expect(rows).toEqual([{ held: 0 }]);
  expect(MARKET_SHARD).toBe(SHARDS);
});

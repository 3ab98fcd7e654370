import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import {
  type Claimant,
  fairShare,
  type HeldShard,
  leaveTrading,
  lockShards,
  releaseShards,
  renewShards,
  SHARDS,
  shardOf,
  showPresence,
} from './trading-shards.ts';

const handle = await testDatabase();
const { database, pool } = handle;
const claimant = async (leaseMs = 60_000) => {
  const presence = await showPresence(pool);
  return { id: randomUUID(), lockKey: presence.lockKey, leaseMs, presence };
};
const shardsOf = ({ held }: { held: readonly HeldShard[] }) => held.map(({ shard }) => shard);

test('the shard of a connection is the same here and in the database', async () => {
  const ids = Array.from({ length: 200 }, () => randomUUID() as string as BrokerConnectionId);
  const { rows } = await pool.query('select shard_of(id) as shard from unnest($1::uuid[]) as c (id)', [ids]);
  expect(rows.map(({ shard }) => shard)).toEqual(ids.map(shardOf));
});

test('one takes all at once; a second gets its half as soon as it is given up, and all when the first dies', async () => {
  const [first, second] = [await claimant(), await claimant()];
  expect(shardsOf(await renewShards(database, first))).toHaveLength(SHARDS + 1);
  expect(shardsOf(await renewShards(database, second))).toHaveLength(0);
  const { held, traders } = await renewShards(database, first);
  expect(traders).toBe(2);
  const surplus = shardsOf({ held }).slice(0, SHARDS - fairShare(traders));
  await releaseShards(database, { id: first.id, shards: surplus });
  expect(shardsOf(await renewShards(database, second))).toHaveLength(SHARDS / 2);
  // Its connection is gone, as after a kill: nobody waits for the lease.
  await first.presence.end();
  await expect
    .poll(async () => shardsOf(await renewShards(database, second)).length, { timeout: 10_000 })
    .toBe(SHARDS + 1);
  await leaveTrading(database, second.id);
  await second.presence.end();
});

test('a transaction under the fence is not overtaken, and one under an old fence locks nothing', async () => {
  const [first, second] = [await claimant(1), await claimant()];
  const { held } = await renewShards(database, first);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const one = held.find(({ shard }) => shard === 7)!;
  await database.transaction().execute(async (trx) => {
    expect((await lockShards(trx, [one])).has(7)).toBe(true);
    const taken = shardsOf(await renewShards(database, second));
    expect(taken).toHaveLength(SHARDS);
    expect(taken).not.toContain(7);
  });
  expect(shardsOf(await renewShards(database, second))).toContain(7);
  const locked = await database.transaction().execute((trx) => lockShards(trx, held));
  expect(locked.size).toBe(0);
  await leaveTrading(database, second.id);
  await Promise.all([first.presence.end(), second.presence.end()]);
});

test('in 10,000 claims that race, no fence is given twice and whoever holds its fence is the only holder', async () => {
  const given = new Set<string>();
  let claims = 0;
  let sections = 0;
  const race = async (racer: Claimant) => {
    let known = new Map<number, string>();
    while (claims < 10_000) {
      const { held } = await renewShards(database, racer);
      for (const { shard, fence } of held) {
        if (known.get(shard) === fence) continue;
        expect(given.has(`${shard} ${fence}`)).toBe(false);
        given.add(`${shard} ${fence}`);
        claims += 1;
      }
      known = new Map(held.map(({ shard, fence }) => [shard, fence]));
      await database.transaction().execute(async (trx) => {
        const locked = await lockShards(trx, held.slice(0, 3));
        const rows = await trx
          .selectFrom('trading_shards' as never)
          .select(['shard', 'fence', 'holder'] as never[])
          .execute();
        for (const row of rows as unknown as { shard: number; fence: string; holder: string }[]) {
          if (!locked.has(row.shard)) continue;
          sections += 1;
          expect(row).toMatchObject({ fence: known.get(row.shard), holder: racer.id });
        }
      });
    }
  };
  const racers = await Promise.all(Array.from({ length: 4 }, () => claimant(1)));
  await Promise.all(racers.map(race));
  expect(given.size).toBe(claims);
  expect(sections).toBeGreaterThan(100);
  await Promise.all(racers.map(({ presence }) => presence.end()));
});

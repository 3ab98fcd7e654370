// In which order a trader begins to serve the clients of a signal, from the records of a real fan-out.
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { inRotation } from '#engine/order/rotation.ts';
import { listTradingConnections } from '#records/brokerage/trading-connections.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { byTurn } from '#trader/connections/by-turn.ts';
import { createTargetCache } from '#trader/strategies/target-cache.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';

const handle = await testDatabase();
const { database, pool } = handle;
const world = await tradingWorld(handle);
afterAll(() => world.trader.close());
const lease = { shards: Array.from({ length: 64 }, (_, shard) => shard) };

/** The orders of a signal as they were before any of them left; nothing of it stays. */
async function seenBeforeSending(turn: number, look: (trx: Transaction) => Promise<void>): Promise<void> {
  const undone = new Error('undone');
  const seen = database.transaction().execute(async (trx) => {
    await sql`update orders set status = 'intended' where target_id in (select id from targets where turn = ${turn})
      and symbol = 'AAA'`.execute(trx);
    await look(trx);
    throw undone;
  });
  await expect(seen).rejects.toBe(undone);
}

test('each signal has the next turn, and its orders leave by it: the second of a pair backwards', async () => {
  const version = (await world.addStrategy(BOTH_ABOVE_30)) as StrategyVersionId;
  for (let i = 0; i < 12; i++) await world.deploy(version);
  await world.runTicks(2);
  world.market.openDay();
  await world.runTicks(2);
  const orders: { readonly turn: number; readonly ids: readonly string[] }[] = [];
  for (const price of [20, 100, 20]) {
    world.market.setPrice('AAA', price);
    world.market.closeDay();
    await world.runTicks(1);
    const { rows } = await pool.query<{ turn: number }>(
      'select turn from targets where turn is not null order by as_of desc limit 1',
    );
    const turn = rows[0]!.turn;
    await seenBeforeSending(turn, async (trx) => {
      const toSend = await listTradingConnections(trx, 'with orders to send');
      const served = await byTurn(
        { database: trx, lease: lease as never, targetCache: createTargetCache() },
        toSend,
      );
      expect(served).toEqual(inRotation(toSend, () => [{ versionId: version, turn }]));
      orders.push({ turn, ids: served.map(({ id }) => id) });
    });
    world.market.openDay();
    await world.runTicks(2);
  }
  expect(orders.length).toBe(3);
  const turns = orders.map(({ turn }) => turn);
  expect(turns).toEqual([turns[0]!, turns[0]! + 1, turns[0]! + 2]);
  for (const { ids } of orders) expect(ids.length).toBe(12);
  const [one, two] = orders.slice(turns[0]! % 2 === 1 ? 0 : 1);
  expect(two!.ids).toEqual(one!.ids.toReversed());
});

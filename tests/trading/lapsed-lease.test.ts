import { expect, test } from 'vitest';
import { LEASE_MS } from '#engine/execution/connection/lease.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';

test('a lease that runs out while the broker answers holds no exit back: the next look sends it', async () => {
  const handle = await testDatabase();
  let steady = 0;
  const world = await tradingWorld(handle, () => steady);
  const { market, venue, runTicks } = world;
  market.closeDay();
  const id = await world.deploy(await world.addStrategy(BOTH_ABOVE_30), { stopLoss: 10 });
  await runTicks();
  market.openDay();
  await runTicks();
  const exits = async () =>
    (
      await handle.pool.query(
        `select status from orders where deployment_id = $1 and purpose = 'stop_loss'`,
        [id],
      )
    ).rows;
  expect(await exits()).toEqual([]);

  // The first look of a day reads the cash of the day before.
  market.closeDay();
  market.openDay();
  market.setPrice('AAA', 70);
  venue.onCall = (call) => {
    if (call !== 'cash') return;
    venue.onCall = null;
    steady += LEASE_MS;
  };
  world.wait(60_000);
  const { problems } = await world.trader.tick();
  expect(problems).toContainEqual({
    where: expect.stringMatching(/^broker connection/),
    reason: 'its shard is not ours any more',
  });
  expect(await exits()).toEqual([]);
  await world.trader.tick();
  expect(await exits()).toEqual([{ status: 'filled' }]);
  await world.everythingHolds();
});

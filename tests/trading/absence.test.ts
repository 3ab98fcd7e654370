// A product that was away for days catches up with every close in order, and trades on the newest alone.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, runTicks } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);
afterAll(() => world.trader.close());
const rows = async <Row>(query: string, ...values: unknown[]) =>
  (await handle.pool.query(query, values)).rows as Row[];
const closes = async () =>
  (
    await rows<{ at: Date }>(
      'select as_of as at from targets where strategy_version_id = $1 order by ctid',
      version,
    )
  ).map(({ at }) => at.toISOString().slice(0, 16));

test('after an absence of three sessions each close is evaluated in order, and only the newest is traded', async () => {
  market.closeDay();
  await runTicks();
  const id = await world.deploy(version);
  await runTicks(1);
  market.openDay();
  await runTicks(3);
  const before = await closes();
  const ordersBefore = (await rows('select id from orders where deployment_id = $1', id)).length;
  await world.trader.close();

  // Away: the first close would sell BBB, the second buy it back, the third sell AAA.
  const missed: string[] = [];
  for (const prices of [{ BBB: 20 }, { BBB: 40 }, { AAA: 20 }]) {
    for (const [symbol, price] of Object.entries(prices)) market.setPrice(symbol, price);
    market.closeDay();
    missed.push(new Date(market.now() - 60_000).toISOString().slice(0, 16));
  }
  await world.restart();
  await runTicks(3);
  expect((await closes()).slice(before.length)).toEqual(missed);
  market.openDay();
  await runTicks(4);
  const orders = await rows<{ symbol: string; side: string; status: string; at: Date }>(
    `select o.symbol, o.side, o.status, t.as_of as at from orders o join targets t on t.id = o.target_id
     where o.deployment_id = $1 order by o.decided_at offset $2`,
    id,
    ordersBefore,
  );
  expect(new Set(orders.map(({ at }) => at.toISOString().slice(0, 16)))).toEqual(new Set([missed.at(-1)]));
  expect(orders.filter(({ symbol }) => symbol === 'AAA').map(({ side }) => side)).toEqual(['sell']);
  // What the two closes before would have done with BBB: a sale, and a purchase back.
  expect(orders.filter(({ symbol, side }) => symbol === 'BBB' && side === 'buy')).toEqual([]);
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
});

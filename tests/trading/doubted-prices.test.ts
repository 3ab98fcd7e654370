// Two feeds that do not agree: nothing new is decided on what they differ about, and who wants out gets out.
import { afterAll, afterEach, expect, test } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, runTicks } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);
afterAll(() => world.trader.close());
afterEach(() => {
  market.second = null;
});

const orders = async (id: string) =>
  (
    await handle.pool.query<{ symbol: string; purpose: string; status: string }>(
      `select symbol, purpose, status from orders where deployment_id = $1 order by symbol`,
      [id],
    )
  ).rows;
const agreeing = () => ({ AAA: market.price('AAA'), BBB: market.price('BBB') });
const command = (id: string, status: string) =>
  handle.pool.query(`update deployments set requested_status = $2 where id = $1`, [id, status]);

test('a target waits for feeds that agree about each of its instruments, and is applied whole', async () => {
  market.closeDay();
  await runTicks();
  market.openDay();
  const id = await world.deploy(version);
  market.second = { ...agreeing(), AAA: market.price('AAA') * 1.05 };
  await runTicks(3);
  expect(await orders(id)).toEqual([]);
  market.second = agreeing();
  await runTicks(3);
  expect(await orders(id)).toMatchObject([
    { symbol: 'AAA', purpose: 'rebalance', status: 'filled' },
    { symbol: 'BBB', purpose: 'rebalance', status: 'filled' },
  ]);
});

test('a stop loss does not trigger on a price in doubt, and an exit of the owner leaves', async () => {
  market.closeDay();
  await runTicks();
  const id = await world.deploy(version, { stopLoss: 10 });
  await runTicks(1);
  market.openDay();
  await runTicks(3);
  const before = market.price('AAA');
  market.second = agreeing();
  market.setPrice('AAA', before * 0.8);
  market.advance(20 * 60_000);
  await runTicks(3);
  expect((await orders(id)).filter(({ purpose }) => purpose === 'stop_loss')).toEqual([]);
  await command(id, 'stopped');
  await runTicks(4);
  const exits = (await orders(id)).filter(({ purpose }) => purpose === 'liquidation');
  expect(exits.map(({ symbol, status }) => `${symbol} ${status}`)).toEqual(['AAA filled', 'BBB filled']);
  market.setPrice('AAA', before);
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
});

test('a second feed that is silent stops what it should have checked', async () => {
  market.closeDay();
  await runTicks();
  market.openDay();
  const id = await world.deploy(version);
  market.second = {};
  await runTicks(3);
  expect(await orders(id)).toEqual([]);
});

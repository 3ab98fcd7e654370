// A trading halt: no order in the instrument leaves, for the strategy or for its owner, until the exchange trades again.
import { afterAll, expect, test } from 'vitest';
import { nextSession } from '#engine/market/calendar.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import { addDays, utcDate } from '#units/instant.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, runTicks } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);
afterAll(() => world.trader.close());

const orders = async (id: string) =>
  (
    await handle.pool.query<{ symbol: string; purpose: string; status: string; reason_code: string | null }>(
      `select symbol, purpose, status, reason_code from orders where deployment_id = $1 order by created_at, symbol`,
      [id],
    )
  ).rows.map(
    ({ symbol, purpose, status, reason_code: reason }) => `${symbol} ${purpose} ${status} ${reason}`,
  );

test('orders in a halted instrument wait with the reason, others leave, and it ends when trading resumes', async () => {
  market.closeDay();
  await runTicks();
  market.openDay();
  const id = await world.deploy(version);
  market.halted.add('AAA');
  await runTicks(3);
  expect(await orders(id)).toEqual(['AAA rebalance intended trading_halted', 'BBB rebalance filled null']);
  market.halted.clear();
  await runTicks(3);
  expect(await orders(id)).toEqual(['AAA rebalance filled null', 'BBB rebalance filled null']);
});

test('an exit of the owner waits too, and leaves when trading resumes', async () => {
  const { rows } = await handle.pool.query<{ id: string }>(`select id from deployments`);
  const id = rows[0]!.id;
  market.halted.add('BBB');
  await handle.pool.query(`update deployments set requested_status = 'stopped' where id = $1`, [id]);
  await runTicks(4);
  expect((await orders(id)).filter((one) => one.includes('liquidation'))).toEqual([
    'AAA liquidation filled null',
    'BBB liquidation intended trading_halted',
  ]);
  market.halted.clear();
  await runTicks(4);
  expect((await orders(id)).at(-1)).toBe('BBB liquidation filled null');
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
});

test('before a session that only the vendor knows no order leaves: the broker would fill it there', async () => {
  while (nextSession('us-equity', market.now()).date === addDays(utcDate(market.now()), 1)) {
    market.closeDay();
    await runTicks();
  }
  const holiday = addDays(utcDate(market.now()), 1);
  market.openedByVendor.add(holiday);
  const id = await world.deploy(version);
  await runTicks(3);
  expect(await orders(id)).toEqual([
    'AAA rebalance intended trading_halted',
    'BBB rebalance intended trading_halted',
  ]);
  market.openedByVendor.clear();
  market.openDay();
  await runTicks(4);
  expect(await orders(id)).toEqual(['AAA rebalance filled null', 'BBB rebalance filled null']);
});

import { afterAll, expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';
import { readAccountBooks } from '#trader/reconciliation/account-books.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
afterAll(() => world.trader.close());

const held = async (of: DeploymentId) =>
  (
    await handle.pool.query(
      `select quantity::float as units, cost_micro::float / 1e6 as cost from positions
       where deployment_id = $1 and symbol = 'AAA'`,
      [of],
    )
  ).rows[0];
const runTicks = () => {
  world.wait(60_000);
  return world.trader.tick();
};
/** Two new shares for each old one, at half the price, after the session that ends now. */
const split = async () => {
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.closeDay();
  market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount: 2 });
  market.setPrice('AAA', market.price('AAA') / 2);
  await runTicks();
};
const holds = async () =>
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);

const version = await world.addStrategy(BOTH_ABOVE_30);
const id = await world.deploy(version, { account: 'DU1' });

test('a purchase from before a split that is told after it counts in the new shares, at what was paid', async () => {
  market.closeDay();
  await runTicks();
  market.openDay();
  const late = venue.executions.splice(0);
  const [bought] = late.filter(({ execution }) => execution.symbol === 'AAA');
  const { quantity, price } = bought!.execution;
  await runTicks();
  await split();
  expect(await held(id)).toBeUndefined();
  venue.executions.push(...late);
  await runTicks();
  expect(await held(id)).toEqual({ units: (2 * quantity) / 1e8, cost: (quantity / 1e8) * price });
  await holds();
});

test('shares that others bought before a split are counted as what they have become', async () => {
  market.openDay();
  venue.tradeExternally('DU1', 'AAA', 'buy', 3);
  await runTicks();
  const external = async () =>
    (await readAccountBooks(handle.database, 'DU1')).find(({ symbol }) => symbol === 'AAA')!.external / 1e8;
  expect(await external()).toBe(3);
  await split();
  expect(await external()).toBe(6);
});

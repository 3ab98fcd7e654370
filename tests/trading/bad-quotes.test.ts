import { afterAll, beforeEach, expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);
afterAll(() => world.trader.close());

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const runTicks = () => {
  world.wait(60_000);
  return world.trader.tick();
};
const refusals = async () =>
  (await runTicks()).problems.filter(({ where }) => where === 'quotes').map(({ reason }) => reason);
const shown = async () =>
  (
    await rows(
      `select d.marked_at as at, d.equity_micro as equity, p.mark_price::float as price, p.quantity::float as units,
         p.marked_at as "priceAt"
       from deployments d join positions p on p.deployment_id = d.id where d.id = $1 and p.symbol = 'AAA'`,
      id,
    )
  )[0];
const exits = () => rows(`select side from orders where purpose = 'stop_loss' and deployment_id = $1`, id);

market.closeDay();
await runTicks();
const id = await world.deploy(version, { stopLoss: 10 });
await runTicks();
market.openDay();
await runTicks();
beforeEach(async () => {
  expect(await refusals()).toEqual([]);
});

test('the first quote after a start is held against the newest bar, and the true ones after it are taken', async () => {
  const before = await shown();
  market.setPrice('AAA', 1_200);
  await world.restart();
  market.advance(20 * 60_000);
  expect(await refusals()).toEqual([expect.stringContaining('price of AAA: it is 1200')]);
  expect(await shown()).toEqual(before);
  market.setPrice('AAA', 99);
  expect(await refusals()).toEqual([]);
  expect(await shown()).toMatchObject({ price: 99, at: new Date(market.now()) });
  expect(await exits()).toEqual([]);
});

test('what is valued at an older price than one that was refused says since when', async () => {
  market.setPrice('BBB', 41);
  await runTicks();
  const before = await shown();
  market.setPrice('AAA', 5);
  market.setPrice('BBB', 42);
  market.advance(20 * 60_000);
  expect(await refusals()).toHaveLength(1);
  const now = await shown();
  expect(Number(now.equity)).toBeGreaterThan(Number(before.equity));
  expect(now).toEqual({ ...before, equity: now.equity });
  // Nobody is looked at again and again for it.
  expect((await runTicks()).deploymentsMarked).toBe(0);
  market.setPrice('AAA', 99);
  market.setPrice('BBB', 40);
  await runTicks();
  const at = new Date(market.now());
  expect(await shown()).toMatchObject({ at, price: 99 });
});

test('a price that crept away is left as soon as the quotes agree with the newest bar again', async () => {
  const bar = market.price('AAA');
  for (const price of [60, 30, 15, 9]) {
    market.setPrice('AAA', price + bar * 9);
    expect(await refusals()).toEqual([]);
  }
  for (const price of [3_000, 9_000]) {
    market.setPrice('AAA', price);
    expect(await refusals()).toEqual([]);
  }
  market.setPrice('AAA', bar);
  expect(await refusals()).toEqual([]);
  expect(await shown()).toMatchObject({ price: bar });
  market.setPrice('AAA', 9_000);
  expect(await refusals()).toHaveLength(1);
  market.setPrice('AAA', bar);
});

test('quotes and bars after a split of twenty for one are believed, by a trader that saw it and by one that starts then', async () => {
  const before = await shown();
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.closeDay();
  market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount: 20 });
  market.setPrice('AAA', market.price('AAA') / 20);
  expect(await refusals()).toEqual([]);
  await world.restart();
  expect(await refusals()).toEqual([]);
  market.openDay();
  expect(await refusals()).toEqual([]);
  expect(await shown()).toMatchObject({ units: before.units * 20, price: before.price / 20 });
  market.closeDay();
  expect((await runTicks()).barsRefused).toBe(0);
  await world.restart();
  expect(await refusals()).toEqual([]);
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
  expect(await exits()).toEqual([]);
});

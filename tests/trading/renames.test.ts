// A share that is renamed overnight, and a ticker that passes to another company, under a running deployment.
import { afterAll, expect, test } from 'vitest';
import type { StatedFact } from '#engine/market/instrument-fact.ts';
import type { SecurityChange } from '#engine/market/security-change.ts';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { FeedVendor } from '#ports/market-data.ts';
import { readDeployments, readTrades } from '#records/deployments/deployment-views.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import type { Symbol, UserId } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
afterAll(() => world.trader.close());
const [AAA, BBB] = ['AAA', 'BBB'] as unknown as readonly [Symbol, Symbol];

/** What the vendor calls each, today. */
const called = new Map<Symbol, string>([
  [AAA, 'AAA'],
  [BBB, 'BBB'],
]);
const changes: SecurityChange[] = [];
const vendor: FeedVendor = {
  name: 'vendor',
  facts: async () => ({
    ok: true,
    value: [...called].map(([symbol, value]): StatedFact => ({ symbol, kind: 'ticker', value })),
  }),
  changes: async () => ({ ok: true, value: [...changes] }),
};
Object.assign(market.feed, { vendors: [vendor] });

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const rename = (symbol: Symbol, ticker: string) => {
  const date = nextTradingDay('us-equity', utcDate(market.now()));
  changes.push({ symbol, event: 'rename', date, ticker });
};
const nextDay = async () => {
  market.openDay();
  await world.runTicks(3);
};
const holdings = async (id: string) => {
  const deployment = (await readDeployments(handle.pool, [id])).get(id);
  return deployment!.positions
    .map(({ ticker, formerly, quantity }) => ({ ticker, formerly, quantity }))
    .toSorted((left, right) => left.quantity - right.quantity);
};

test('position, orders, history and evidence stay with their company, whoever has the ticker', async () => {
  const version = await world.addStrategy(BOTH_ABOVE_30);
  const id = await world.deploy(version);
  await world.runTicks();
  market.closeDay();
  await world.runTicks();
  await nextDay();
  const before = await holdings(id);
  expect(before.map(({ ticker }) => ticker)).toEqual(['AAA', 'BBB']);
  const evidence = () =>
    rows(
      `select o.id, o.symbol, o.client_order_id, o.status, o.quantity, f.price, f.quantity as filled
       from orders o left join fills f on f.order_id = o.id where o.deployment_id = $1 order by o.id`,
      id,
    );
  const orders = await evidence();
  const bars = (symbol: string) => rows('select seal from bars where symbol = $1 order by date', symbol);
  const sealed = await bars('AAA');
  const user = (await rows('select user_id from deployments where id = $1', id))[0].user_id as string;

  // The evening before AAA becomes AXA, and the evening before BBB takes the ticker AAA.
  rename(AAA, 'AXA');
  market.closeDay();
  await world.runTicks();
  expect((await holdings(id)).map(({ ticker }) => ticker)).toEqual(['AAA', 'BBB']);
  called.set(AAA, 'AXA');
  await nextDay();
  rename(BBB, 'AAA');
  market.closeDay();
  await world.runTicks();
  called.set(BBB, 'AAA');
  await world.restart();
  await nextDay();

  expect(await holdings(id)).toEqual([
    { ticker: 'AXA', formerly: ['AAA'], quantity: before[0]!.quantity },
    { ticker: 'AAA', formerly: ['BBB'], quantity: before[1]!.quantity },
  ]);
  expect(await evidence()).toEqual(orders);
  const later = await bars('AAA');
  expect(later.slice(0, sealed.length)).toEqual(sealed);
  expect(later.length).toBeGreaterThan(sealed.length);
  // A trade is shown under the ticker of its day.
  const trades = await readTrades(handle.pool, { id, userId: user as UserId, limit: 10 });
  expect(trades.map(({ symbol }) => symbol).toSorted()).toEqual(['AAA', 'BBB']);

  // What befalls the company that has the ticker AAA now does not reach the one that had it before.
  market.setPrice('BBB', 20);
  market.advance(60_000);
  await world.runTicks();
  market.closeDay();
  await world.runTicks();
  await nextDay();
  expect((await holdings(id)).map(({ ticker }) => ticker)).toEqual(['AXA']);
  // An order names the instrument, and never a ticker.
  expect(new Set(venue.orders.map(({ symbol }) => symbol))).toEqual(new Set([AAA, BBB]));
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
  const told = await rows('select symbol, ticker, on_date::text from security_events order by on_date');
  expect(told.map(({ symbol, ticker }) => `${symbol} ${ticker}`)).toEqual(['AAA AXA', 'BBB AAA']);
});

import { expect, test } from 'vitest';
import { NO_MODELS } from '../support/no-models.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';
import { shownNotices } from '../support/shown-notices.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;

test('a deployment is started, follows its strategy at the next opening and is marked', async () => {
  const version = await world.addStrategy(BOTH_ABOVE_30);
  const id = await world.deploy(version, { account: 'DU1' });
  market.closeDay();
  const report = await world.trader.tick();
  expect(report.problems).toEqual([]);
  expect(report).toMatchObject({ targetsWritten: 1, deploymentsServed: 1, ordersWritten: 2, ordersSent: 2 });

  market.setPrice('AAA', 101);
  market.openDay();
  await world.trader.tick();
  // 40% of 10,000 at closes of 100 and 40.
  expect(
    await rows(
      `select symbol, quantity::float, mark_price::float from positions where deployment_id = $1 order by symbol`,
      id,
    ),
  ).toEqual([
    { symbol: 'AAA', quantity: 40, mark_price: 101 },
    { symbol: 'BBB', quantity: 100, mark_price: 40 },
  ]);
  const [deployment] = await rows(`select * from deployments where id = $1`, id);
  // 10,000 less 40 × 101 and 100 × 40, less 0.05% commission on both.
  expect(deployment).toMatchObject({
    status: 'active',
    cash_micro: String((10_000 - 4_040 - 4_000) * 1e6 - 2_020_000 - 2_000_000),
    equity_micro: String(10_000 * 1e6 - 4_020_000),
    realized_micro: '-4020000',
  });
  expect(
    await rows(
      `select status, filled_quantity::float from orders where deployment_id = $1 order by symbol`,
      id,
    ),
  ).toEqual([
    { status: 'filled', filled_quantity: 40 },
    { status: 'filled', filled_quantity: 100 },
  ]);
  const messages = await shownNotices(handle, 'deployment_id = $1', id);
  expect(
    messages.toSorted((a, b) => b.kind.localeCompare(a.kind) || (a.title < b.title ? -1 : 1)),
  ).toMatchObject([
    { kind: 'trading_started', title: 'Trading started' },
    { kind: 'order_filled', title: 'Bought AAA' },
    { kind: 'order_filled', title: 'Bought BBB' },
  ]);
  expect(venue.orders).toHaveLength(2);
});

test('a tick without news changes nothing', async () => {
  const before = await rows(`select * from deployments`);
  const report = await world.trader.tick();
  expect(report).toMatchObject({ ordersWritten: 0, ordersSent: 0, fillsBooked: 0, deploymentsMarked: 0 });
  expect(await rows(`select * from deployments`)).toEqual(before);
});

test('each trading day leaves one equity mark, with the close of the benchmark', async () => {
  market.setPrice('AAA', 110);
  market.closeDay();
  await world.trader.tick();
  const marks = await rows(`select date, equity_micro, benchmark::float from equity_marks order by date`);
  expect(marks).toEqual([
    { date: '2026-03-02', equity_micro: '10000000000', benchmark: 100 },
    { date: '2026-03-03', equity_micro: String(10_000 * 1e6 - 4_020_000 + 40 * 9 * 1e6), benchmark: 110 },
  ]);
});

test('a second trader finds all work taken and does nothing until its share is given up', async () => {
  const { createTrader } = await import('#trader/trader.ts');
  const other = createTrader({
    handle,
    broker: venue.broker,
    marketData: market.feed,
    models: NO_MODELS,
    openCredentials: () => ({}),
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    newId: () => crypto.randomUUID(),
    realNow: () => market.now(),
  });
  expect(await other.tick()).toMatchObject({ deploymentsMarked: 0, ordersWritten: 0, problems: [] });
  const holders = async () =>
    rows(`select count(*)::int as shards from trading_shards where shard < 64 group by holder`);
  expect(await holders()).toEqual([{ shards: 64 }]);
  await other.close();
  await world.trader.close();
});

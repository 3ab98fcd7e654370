import { afterAll, expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../../../tests/support/trading-world.ts';
import { checkRecords } from '../invariants/check-invariants.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market } = world;
afterAll(() => world.trader.close());

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const money = async (id: DeploymentId) =>
  (
    await rows(
      `select cash_micro::float as cash, equity_micro::float as equity from deployments where id = $1`,
      id,
    )
  )[0];
const held = (id: DeploymentId) =>
  rows(`select symbol, quantity::float from positions where deployment_id = $1 order by symbol`, id);
const violations = async () =>
  (await checkRecords(handle.database)).flatMap(({ violations: found }) => found);

const version = await world.addStrategy(BOTH_ABOVE_30);
const id = await world.deploy(version, { account: 'DU1' });
market.closeDay();
await world.trader.tick();
market.openDay();
await world.trader.tick();

test('a split doubles what is held after the last close with the old shares, once, and moves no money', async () => {
  expect(await held(id)).toEqual([
    { symbol: 'AAA', quantity: 40 },
    { symbol: 'BBB', quantity: 100 },
  ]);
  const before = await money(id);
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.closeDay();
  market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount: 2 });
  market.setPrice('AAA', market.price('AAA') / 2);
  const report = await world.trader.tick();
  expect(report.problems).toEqual([]);
  expect(await held(id)).toContainEqual({ symbol: 'AAA', quantity: 80 });
  expect(await money(id)).toEqual(before);
  await world.trader.tick();
  const again = await world.restart();
  await again.tick();
  market.openDay();
  await again.tick();
  expect(await held(id)).toContainEqual({ symbol: 'AAA', quantity: 80 });
  expect(await money(id)).toEqual(before);
  expect(await violations()).toEqual([]);
  const days = await rows(
    `select equity_micro::float as equity from equity_marks where deployment_id = $1 order by date`,
    id,
  );
  expect(days.slice(1)).toEqual(days.slice(1).map(() => ({ equity: before.equity })));
});

test('a dividend is paid in cash for what was held at the last close with it, once', async () => {
  const before = await money(id);
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.closeDay();
  market.actions.push({ symbol: 'BBB' as Symbol, kind: 'dividend', exDate, amount: 0.5 });
  market.setPrice('BBB', market.price('BBB') - 0.5);
  await world.trader.tick();
  await world.trader.tick();
  expect(await money(id)).toEqual({ cash: before.cash + 50e6, equity: before.equity });
  const booked = await rows(
    `select kind, cause from ledger_transactions where deployment_id = $1 and kind = 'position_event'`,
    id,
  );
  expect(booked).toHaveLength(1);
  expect(await violations()).toEqual([]);
});

test('until a split has been applied, what is held keeps its last value: no limit trips on the halved price', async () => {
  const before = await money(id);
  const held = await rows(`select quantity::float as quantity from positions where symbol = 'AAA'`);
  await handle.pool.query(`update deployments set freeze_on_drawdown_percent = 5 where id = $1`, [id]);
  await handle.pool.query(`alter table position_events rename to position_events_away`);
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.openDay();
  await world.trader.tick();
  market.closeDay();
  const split = {
    symbol: 'AAA' as Symbol,
    kind: 'split',
    exDate: nextTradingDay('us-equity', exDate),
    amount: 2,
  } as const;
  market.actions.push(split);
  market.setPrice('AAA', market.price('AAA') / 2);
  const report = await world.trader.tick();
  expect(report.problems.map(({ where }) => where)).toContain(
    `end-of-day processing of ${exDate} (us-equity)`,
  );
  expect(await money(id)).toEqual(before);
  await handle.pool.query(`alter table position_events_away rename to position_events`);
  await world.trader.tick();
  expect(await money(id)).toEqual(before);
  expect(await rows(`select quantity::float as quantity from positions where symbol = 'AAA'`)).toEqual(
    held.map(({ quantity }) => ({ quantity: quantity * 2 })),
  );
  expect(await rows(`select frozen_at from deployments where id = $1`, id)).toEqual([{ frozen_at: null }]);
});

test('the stop loss acts up to the close before an ex-date and from its opening on, and not in between', async () => {
  const day = async (price: number) => {
    market.setPrice('AAA', price);
    market.openDay();
    await world.trader.tick();
    await world.trader.tick();
  };
  const exits = (of: DeploymentId) =>
    rows(`select symbol from orders where deployment_id = $1 and purpose = 'stop_loss'`, of);
  const [before, after] = [
    await world.deploy(version, { account: 'DU2', stopLoss: 10 }),
    await world.deploy(version, { account: 'DU3', stopLoss: 30 }),
  ];
  market.closeDay();
  market.setPrice('AAA', 100);
  market.closeDay();
  await world.trader.tick();
  await day(100);
  // Told of long before, as real ones are.
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount: 2 });
  await world.trader.tick();
  market.setPrice('AAA', 85);
  await world.trader.tick();
  expect([await exits(before), await exits(after)]).toEqual([[{ symbol: 'AAA' }], []]);
  await rows(`alter table position_events rename to position_events_away`);
  market.closeDay();
  await world.trader.tick();
  await day(42.5);
  expect(await exits(after)).toEqual([]);
  const asOf = async () =>
    (await rows(`select marked_at from deployments where id = $1`, after))[0].marked_at;
  const old = await asOf();
  market.advance(40 * 60_000);
  await world.trader.tick();
  expect(await asOf()).toEqual(old);
  await rows(`alter table position_events_away rename to position_events`);
  await world.trader.tick();
  expect(await exits(after)).toEqual([]);
  expect(await asOf()).toEqual(new Date(market.now()));
  market.setPrice('AAA', 34);
  await world.trader.tick();
  expect(await exits(after)).toEqual([{ symbol: 'AAA' }]);
  expect(await violations()).toEqual([]);
});

test('a feed that tells the last trade as it was until the opening makes nobody richer overnight', async () => {
  market.closeDay();
  await world.trader.tick();
  market.openDay();
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.actions.push({ symbol: 'BBB' as Symbol, kind: 'split', exDate, amount: 4 });
  await world.trader.tick();
  const before = await money(id);
  market.closeDay();
  await world.trader.tick();
  market.advance(40 * 60_000);
  await world.trader.tick();
  expect(await money(id)).toEqual(before);
  market.setPrice('BBB', market.price('BBB') / 4);
  market.openDay();
  await world.trader.tick();
  expect(await money(id)).toEqual(before);
});

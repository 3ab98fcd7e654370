// The row of each trading day: what was held at its close. A day is over once something of a later one is known.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle, () => 0, ['equity']);
const { market, venue } = world;
afterAll(() => world.trader.close());

const days = async (id: string) => {
  const { rows } = await handle.pool.query(
    `select date, equity_micro::float8 / 1e6 as equity from equity_marks where deployment_id = $1 order by date`,
    [id],
  );
  return rows;
};

test('a fill of the next opening, told while the trader still stands before it, leaves the day before as it closed', async () => {
  const id = await world.deploy(await world.addStrategy(BOTH_ABOVE_30), { account: 'DU1' });
  market.closeDay();
  await world.trader.tick();
  await world.trader.tick();
  expect(await days(id)).toEqual([{ date: '2026-03-02', equity: 10_000 }]);

  // The market opens, elsewhere in price, between the trader's look at the clock and its questions of the broker.
  venue.onCall = () => {
    venue.onCall = null;
    market.setPrice('AAA', 101);
    market.openDay();
  };
  const report = await world.trader.tick();
  expect(report).toMatchObject({ fillsBooked: 2, problems: [] });
  expect((await days(id))[0]).toEqual({ date: '2026-03-02', equity: 10_000 });

  await world.trader.tick();
  market.closeDay();
  await world.trader.tick();
  // 40 shares were bought a dollar above what had been seen, for commissions of 4.02 altogether.
  expect(await days(id)).toEqual([
    { date: '2026-03-02', equity: 10_000 },
    { date: '2026-03-03', equity: 10_000 - 4.02 },
  ]);
});

test('a close that no trader saw is not written with what a stop sold at the next opening', async () => {
  const id = await world.deploy(await world.addStrategy({ ...BOTH_ABOVE_30, universe: ['AAA'] }), {
    account: 'DU2',
    stopLoss: 10,
  });
  market.setPrice('AAA', 100);
  for (const look of [market.closeDay, market.openDay, () => undefined]) {
    look();
    world.wait(60_000);
    await world.trader.tick();
  }
  expect(
    venue.orders.filter(({ stopPrice, status }) => stopPrice !== null && status === 'working'),
  ).toHaveLength(1);
  const before = await days(id);

  market.closeDay();
  market.setPrice('AAA', 80);
  market.openDay();
  world.wait(60_000);
  expect(await world.trader.tick()).toMatchObject({ fillsBooked: 1, problems: [] });
  const after = await days(id);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.at(-1).equity).toBeLessThan(8_500);
});

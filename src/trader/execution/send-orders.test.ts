import { afterAll, afterEach, expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../../../tests/support/trading-world.ts';

let steady = 0;
const handle = await testDatabase();
const world = await tradingWorld(handle, () => steady);
const { market, venue, trader } = world;
afterAll(() => trader.close());
afterEach(() => {
  venue.onCall = null;
});
const version = await world.addStrategy(BOTH_ABOVE_30);
market.closeDay();

const statuses = async (id: string) =>
  (
    await handle.pool.query(`select symbol, status from orders where deployment_id = $1 order by symbol`, [
      id,
    ])
  ).rows.map(({ symbol, status }) => `${symbol} ${status}`);
const runTicks = () => {
  world.wait(60_000);
  return trader.tick();
};

test('a process that slept between the commit and the request lets nothing leave', async () => {
  const id = await world.deploy(version);
  venue.onCall = (call) => {
    if (call === 'submitOrder') steady += 60_000;
  };
  await runTicks();
  expect(venue.submissions).toEqual([]);
  expect((await statuses(id)).filter((one) => !/intended|sending/.test(one))).toEqual([]);
  venue.onCall = null;
  await runTicks();
  await runTicks();
  expect(new Set(venue.submissions).size).toBe(venue.submissions.length);
});

test('an order that waited for a second since its gates were looked at is looked at again', async () => {
  const id = await world.deploy(version);
  const before = venue.submissions.length;
  venue.onCall = (call) => {
    if (call === 'submitOrder') steady += 900;
  };
  await runTicks();
  expect(venue.submissions).toHaveLength(before);
  expect(await statuses(id)).toEqual(['AAA intended', 'BBB intended']);
  venue.onCall = null;
  await runTicks();
  expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
});

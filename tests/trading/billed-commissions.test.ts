// The closing bill of a deployment whose broker states commissions late, or never in time.
import { afterAll, beforeEach, expect, it } from 'vitest';
import { requestStatus } from '#tests/support/deployment-commands.ts';
import { shownNotices } from '#tests/support/shown-notices.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { DAY_MS, MINUTE_MS } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
const version = await world.addStrategy({ ...BOTH_ABOVE_30, universe: ['AAA'] });
let account: string;
let nth = 0;
let id: DeploymentId;

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const bills = () =>
  rows(
    `select profit_micro::float / 1e6 as profit, fee_micro::float / 1e6 as fee, has_estimates
     from fee_bills where deployment_id = $1 and is_closing`,
    id,
  );
const corrections = () =>
  rows(
    `select number, profit_micro::float / 1e6 as profit, credit_micro::float / 1e6 as credit
     from fee_corrections where deployment_id = $1 order by number`,
    id,
  );
const owed = async () =>
  (
    await rows(
      `select -sum(amount_micro)::float / 1e6 as owed from ledger_entries
       where deployment_id = $1 and ledger_account = 'payable'`,
      id,
    )
  )[0].owed;
const holds = async () =>
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);

afterAll(() => world.trader.close());
/** 80 shares bought at 100 and sold at 102 without a stated commission: profit 160, less two commissions. */
beforeEach(async () => {
  account = `DUFEE${(nth += 1)}`;
  venue.statesCommissions = true;
  market.setPrice('AAA', 100);
  id = await world.deploy(version, { account });
  market.closeDay();
  await world.runTicks();
  market.openDay();
  venue.statesCommissions = false;
  await world.runTicks();
  market.setPrice('AAA', 102);
  await requestStatus(handle.pool, id, 'stopped');
  await world.runTicks(4);
  expect(await rows(`select status from deployments where id = $1`, id)).toEqual([{ status: 'stopped' }]);
});
/** Accounts without a deployment at work are read every ten minutes. */
const looks = async (times: number) => {
  for (let look = 0; look < times; look++) {
    world.wait(10 * MINUTE_MS);
    await world.runTicks(1);
  }
};
const own = () => venue.executions.flatMap(({ accountId }, at) => (accountId === account ? [at] : []));

it('waits for the commissions, and counts the true ones', async () => {
  market.advance(2 * DAY_MS);
  await looks(3);
  expect(await bills()).toEqual([]);
  for (const at of own()) venue.stateCommission(at, toMicro(20));
  venue.statesCommissions = true;
  await looks(3);
  expect(await bills()).toEqual([{ profit: 120, fee: 36, has_estimates: false }]);
  market.advance(DAY_MS);
  await looks(3);
  expect(await corrections()).toEqual([]);
  await holds();
});

it('is made with the estimates after five days and says so; later figures credit what it was too high, once', async () => {
  market.advance(5 * DAY_MS);
  await looks(3);
  const [bill] = await bills();
  expect(bill).toMatchObject({ has_estimates: true });
  expect(bill.profit).toBeGreaterThan(140);
  for (const at of own()) venue.stateCommission(at, toMicro(20));
  venue.statesCommissions = true;
  await looks(2);
  for (let look = 0; look < 3; look++) {
    market.advance(DAY_MS);
    await looks(2);
    await world.restart();
  }
  expect(await bills()).toEqual([bill]);
  const [correction, ...others] = await corrections();
  expect(others).toEqual([]);
  expect(correction).toMatchObject({ number: 1, profit: 120 });
  expect(correction.credit).toBeCloseTo(bill.fee - 36, 6);
  expect(await owed()).toBeCloseTo(36, 6);
  expect(await shownNotices(handle, `deployment_id = $1 and kind = 'fee_credited'`, id)).toMatchObject([
    { title: expect.stringContaining('Performance fee credit of $') },
  ]);
  await holds();
});

it('is not raised by a later figure that would ask for more', async () => {
  market.advance(5 * DAY_MS);
  await looks(3);
  const before = await owed();
  for (const at of own()) venue.stateCommission(at, toMicro(0));
  venue.statesCommissions = true;
  market.advance(DAY_MS);
  await looks(3);
  expect(await corrections()).toMatchObject([{ number: 1, profit: 160, credit: 0 }]);
  expect(await owed()).toBe(before);
  await holds();
});

// The performance fee follows the books as they were corrected.
import { afterAll, expect, test } from 'vitest';
import type { ExecutionId } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';
import { agreeOn, supportPeople } from '../support/agreed-adjustment.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue, runTicks } = world;
afterAll(() => world.trader.close());
const people = await supportPeople(handle);
const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;

test('no fee is due on a sale that the broker took back before the bill', async () => {
  const version = await world.addStrategy(BOTH_ABOVE_30);
  const [kept, undone] = [
    await world.deploy(version, { account: 'DU1' }),
    await world.deploy(version, { account: 'DU2' }),
  ];
  await rows(`update users set fee_period = 'weekly'`);
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  market.setPrice('AAA', 29);
  market.closeDay();
  await runTicks();
  market.setPrice('AAA', 130);
  market.openDay();
  await runTicks();
  const at = venue.executions.findIndex(
    ({ accountId, execution }) =>
      accountId === 'DU2' && execution.symbol === 'AAA' && execution.side === 'sell',
  );
  const { execution: sold } = venue.executions[at]!;
  const executionId = `${sold.executionId}.02` as ExecutionId;
  const taken = { ...sold, executionId, revisionStem: sold.executionId, quantity: toQuantity(0) };
  venue.executions[at] = { ...venue.executions[at]!, execution: taken };
  await runTicks();
  await agreeOn(handle, people, {
    deployment: undone,
    execution: executionId,
    undoes: sold.executionId,
    units: 0,
  });
  await runTicks();
  // Beyond the end of the week.
  for (let day = 0; day < 5; day++) {
    market.closeDay();
    await runTicks();
  }
  const bills = await rows(
    `select deployment_id as id, fee_micro::float8 / 1e6 as fee, profit_micro::float8 / 1e6 as profit from fee_bills
     where number = 1`,
  );
  const billOf = (id: string) => bills.find((bill) => bill.id === id);
  expect(billOf(kept)!.profit).toBeGreaterThan(1_000);
  expect(billOf(undone)).toMatchObject({ fee: 0, profit: 0 });
  const [{ corrected }] = await rows(
    `select high_water_mark_micro = investment_micro as corrected from deployments where id = $1`,
    undone,
  );
  expect(corrected).toBe(true);
  const side = { broker: venue.broker, openCredentials: () => ({}), pause: async () => undefined };
  expect(
    (await checkInvariants(handle.database, side)).flatMap(({ says, violations }) =>
      violations.map((one) => [says, one]),
    ),
  ).toEqual([]);
});

// Interest on a pair follows what was held at the end of each session, whenever the books learn of the trade.
import { afterAll, expect, it } from 'vitest';
import { agreeOn, supportPeople } from '#tests/support/agreed-adjustment.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import type { DeploymentId, ExecutionId } from '#units/identifiers.ts';
import { quantity } from '#units/quantity.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
const version = await world.addStrategy({
  ...BOTH_ABOVE_30,
  name: 'Long of yen',
  universe: ['USDJPY'],
  benchmark: 'USDJPY',
  gross: 0.1,
});
afterAll(() => world.trader.close());

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const swaps = (id: DeploymentId) =>
  rows(
    `select date::text, sum(entitled)::float as units, sum(realized_micro)::float as paid from position_events
     where deployment_id = $1 and kind = 'swap' group by date order by date`,
    id,
  );
const held = async (id: DeploymentId) =>
  (await rows('select quantity::float as units from positions where deployment_id = $1', id))[0]?.units ?? 0;
const holds = async () =>
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
async function night() {
  market.closeDay();
  await world.runTicks(3);
  market.openDay();
  await world.runTicks(2);
}
async function decided(account: string) {
  market.setPrice('USDJPY', 150);
  const id = await world.deploy(version, { account });
  market.closeDay();
  await world.runTicks(1);
  return id;
}

it('an execution reported two nights late is paid the swaps of all nights since', async () => {
  for (let nth = 1; nth < 9; nth++) venue.hides.add(`X${nth}` as ExecutionId);
  const id = await decided('DUSWAP1');
  await night();
  await night();
  expect(await swaps(id)).toEqual([]);
  venue.hides.clear();
  await world.runTicks(3);
  const units = await held(id);
  expect(units).not.toBe(0);
  const paid = await swaps(id);
  expect(paid.length).toBeGreaterThanOrEqual(2);
  for (const swap of paid) {
    expect(swap.units).toBe(units);
    expect(swap.paid).not.toBe(0);
  }
  await holds();
});

it('an execution that the broker takes back gives back the swaps that it earned', async () => {
  const id = await decided('DUSWAP2');
  await night();
  await night();
  const units = await held(id);
  const earned = await swaps(id);
  expect(earned.length).toBeGreaterThanOrEqual(2);
  for (const swap of earned) expect(swap.units).toBe(units);
  const { execution } = venue.executions.find(({ accountId }) => accountId === 'DUSWAP2')!;
  const taken = venue.revise(execution, { quantity: quantity(0) });
  await world.runTicks(2);
  await agreeOn(handle, await supportPeople(handle), {
    deployment: id,
    symbol: 'USDJPY',
    execution: taken.executionId,
    undoes: execution.executionId,
    units: 0,
  });
  await world.runTicks(3);
  expect(await swaps(id)).toEqual(earned.map(({ date }) => ({ date, units: 0, paid: 0 })));
  await holds();
});

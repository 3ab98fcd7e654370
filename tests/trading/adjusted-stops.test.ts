// What rests to protect a position, and what is to close it, when the position is corrected.
import { afterAll, expect, test } from 'vitest';
import { toQuantity } from '#units/quantity.ts';
import { agreeOn, supportPeople } from '../support/agreed-adjustment.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle, undefined, ['equity']);
const { market, venue, runTicks } = world;
afterAll(() => world.trader.close());
const people = await supportPeople(handle);
const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const workingStops = () =>
  venue.orders
    .filter(({ symbol, stopPrice, status }) => symbol === 'AAA' && stopPrice !== null && status === 'working')
    .map(({ quantity }) => quantity / 1e8);

test('the stop is of the corrected size, a stop loss sells no more than that, and the books hold', async () => {
  market.closeDay();
  const id = await world.deploy(await world.addStrategy(BOTH_ABOVE_30), { account: 'DU1', stopLoss: 10 });
  await runTicks(1);
  market.openDay();
  await runTicks(3);
  expect(workingStops()).toEqual([40]);
  venue.deliver('DU1', 'AAA', -15);
  await runTicks(5);
  expect(workingStops()).toEqual([]);
  await agreeOn(handle, people, { deployment: id, units: -15, price: 100 });
  await runTicks(3);
  expect(workingStops()).toEqual([25]);
  market.setPrice('AAA', 89.5);
  await runTicks(4);
  expect(venue.position('DU1', 'AAA')).toBe(0);
  expect(await rows(`select from positions where deployment_id = $1 and symbol = 'AAA'`, id)).toEqual([]);
  const side = { broker: venue.broker, openCredentials: () => ({}), pause: async () => undefined };
  expect((await checkInvariants(handle.database, side)).flatMap(({ violations }) => violations)).toEqual([]);
});

test('a stop loss closes the shares that are there, and what waits for the others is over once they are put right', async () => {
  market.setPrice('AAA', 100);
  market.closeDay();
  const id = await world.deploy(await world.addStrategy({ ...BOTH_ABOVE_30, name: 'Again' }), {
    account: 'DU2',
    stopLoss: 10,
  });
  await runTicks(1);
  market.openDay();
  await runTicks(3);
  venue.deliver('DU2', 'AAA', -15);
  market.setPrice('AAA', 89.5);
  await runTicks(4);
  const exits = () =>
    rows(
      `select status, quantity::float8 as units from orders where deployment_id = $1 and symbol = 'AAA'
         and purpose = 'stop_loss' order by decided_at, attempt`,
      id,
    );
  market.setPrice('AAA', 89.4);
  await runTicks(2);
  const taken = [
    { status: 'withdrawn', units: 40 },
    { status: 'filled', units: 25 },
  ];
  expect(await exits()).toEqual([...taken, { status: 'intended', units: 15 }]);
  await agreeOn(handle, people, { deployment: id, units: -15, price: 100 });
  await runTicks(4);
  expect(await exits()).toEqual([...taken, { status: 'withdrawn', units: 15 }]);
  expect(venue.position('DU2', 'AAA')).toBe(0);
  const side = { broker: venue.broker, openCredentials: () => ({}), pause: async () => undefined };
  expect((await checkInvariants(handle.database, side)).flatMap(({ violations }) => violations)).toEqual([]);
});

test('a stop covers what is bought anew where the account is short of what was taken back', async () => {
  market.setPrice('AAA', 100);
  market.closeDay();
  const id = await world.deploy(await world.addStrategy({ ...BOTH_ABOVE_30, name: 'Anew' }), {
    account: 'DU3',
    stopLoss: 10,
  });
  await runTicks(1);
  market.openDay();
  await runTicks(3);
  const { execution: bought } = venue.executions.find(
    ({ accountId, execution }) => accountId === 'DU3' && execution.symbol === 'AAA',
  )!;
  const { executionId: undoes } = bought;
  const allow = (percent: number) =>
    rows(
      `update deployments set applied_target_id = null, max_allocation_percent = $2 where id = $1`,
      id,
      percent,
    );
  await allow(10);
  await runTicks(4);
  expect(venue.position('DU3', 'AAA')).toBe(9e8);
  const { executionId: execution } = venue.revise(bought, { quantity: toQuantity(0) });
  await runTicks(3);
  await agreeOn(handle, people, { deployment: id, execution, undoes, units: 0 });
  await runTicks(4);
  expect(venue.position('DU3', 'AAA')).toBe(-31e8);
  await allow(0);
  market.closeDay();
  await runTicks(1);
  market.openDay();
  await runTicks(4);
  const [{ units }] = await rows(
    `select quantity::float8 as units from positions where deployment_id = $1 and symbol = 'AAA'`,
    id,
  );
  expect(venue.position('DU3', 'AAA')).toBe(units * 1e8 - 31e8);
  expect(workingStops().at(-1)).toBe(units);
  market.setPrice('AAA', 89.5);
  await runTicks(4);
  expect(venue.position('DU3', 'AAA')).toBe(-31e8);
});

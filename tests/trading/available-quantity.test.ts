// Only what the account holds is sold, whoever asks for the sale.
import { requestStatus } from '../support/deployment-commands.ts';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { DeploymentId } from '#units/identifiers.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, SHORT_ABOVE_30, tradingWorld } from '../support/trading-world.ts';
import type { TradingPerson } from '../support/trading-rows.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle, undefined, ['equity']);
const { market, venue, runTicks } = world;
const long = await world.addStrategy(BOTH_ABOVE_30);
const short = await world.addStrategy(SHORT_ABOVE_30);
afterAll(() => world.trader.close());

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const held = async (id: DeploymentId) =>
  (
    await rows(
      `select quantity::float as units from positions where deployment_id = $1 and symbol = 'AAA'`,
      id,
    )
  )[0]?.units ?? 0;
const sales = (id: DeploymentId) =>
  rows(
    `select purpose, status, reason_code as code from orders
     where deployment_id = $1 and symbol = 'AAA' and side = 'sell' and purpose <> 'protective' order by decided_at, attempt`,
    id,
  );
const personOf = async (id: DeploymentId, account: string): Promise<TradingPerson> => {
  const [row] = await rows(
    `select user_id as user, broker_connection_id as connection from deployments where id = $1`,
    id,
  );
  return { ...row, account };
};
const workingStops = (account: string) =>
  venue.orders.filter(
    (one) =>
      one.accountId === account && one.symbol === 'AAA' && one.stopPrice !== null && one.status === 'working',
  );

beforeEach(async () => {
  await rows(`update deployments set status = 'stopped', requested_status = null`);
  market.setPrice('AAA', 100);
  market.setPrice('BBB', 40);
  market.closeDay();
});

test('a strategy sells nothing that its owner has sold by hand', async () => {
  const id = await world.deploy(long, { account: 'HAND' });
  await runTicks();
  market.openDay();
  await runTicks();
  expect(await held(id)).toBe(40);
  venue.tradeExternally('HAND', 'AAA', 'sell', 5);
  await runTicks();
  market.setPrice('AAA', 25);
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  expect(venue.position('HAND', 'AAA')).toBe(35e8);
  expect((await sales(id)).at(-1)).toEqual({
    purpose: 'rebalance',
    status: 'intended',
    code: 'quantity_not_available',
  });
  venue.tradeExternally('HAND', 'AAA', 'buy', 5);
  await runTicks();
  expect(venue.position('HAND', 'AAA')).toBe(0);
  expect(await held(id)).toBe(0);
});

test('a stop loss sells what its owner has left of a position, and the rest once it is bought back', async () => {
  const id = await world.deploy(long, { account: 'LEFT', stopLoss: 10 });
  await runTicks();
  market.openDay();
  await runTicks();
  expect(await held(id)).toBe(40);
  venue.tradeExternally('LEFT', 'AAA', 'sell', 5);
  await runTicks();
  market.setPrice('AAA', 85);
  await runTicks();
  await runTicks();
  expect(venue.position('LEFT', 'AAA')).toBe(0);
  expect(await held(id)).toBe(5);
  market.setPrice('AAA', 84);
  await runTicks();
  expect((await sales(id)).map(({ purpose, status }) => `${purpose} ${status}`)).toEqual([
    'stop_loss withdrawn',
    'stop_loss filled',
    'stop_loss intended',
  ]);
  venue.tradeExternally('LEFT', 'AAA', 'buy', 5);
  await runTicks();
  expect([await held(id), venue.position('LEFT', 'AAA')]).toEqual([0, 0]);
});

test('an exit that waits for what is not there does not cancel what another deployment orders, again and again', async () => {
  const first = await world.deploy(long, { account: 'GONE' });
  await runTicks();
  market.openDay();
  await runTicks();
  venue.tradeExternally('GONE', 'AAA', 'sell', 40);
  await runTicks();
  await requestStatus(handle.pool, first, 'stopped');
  await runTicks();
  expect((await sales(first)).at(-1)).toMatchObject({ purpose: 'liquidation', status: 'intended' });
  market.closeDay();
  const person = await personOf(first, 'GONE');
  const second = await world.deploy(long, { person });
  for (let look = 0; look < 3; look++) await runTicks();
  const purchases = () =>
    rows(`select status from orders where deployment_id = $1 and symbol = 'AAA' and side = 'buy'`, second);
  // The exit of the new day has been looked at once by then.
  expect(await purchases()).toEqual([{ status: 'cancelled' }, { status: 'working' }]);
  for (let look = 0; look < 3; look++) await runTicks();
  market.openDay();
  await runTicks();
  expect(await purchases()).toEqual([{ status: 'cancelled' }, { status: 'filled' }]);
});

test('what one deployment is short of is there for another to sell, and for its stop', async () => {
  const first = await world.deploy(long, { account: 'BOTH', stopLoss: 10 });
  await runTicks();
  market.openDay();
  await runTicks();
  const person = await personOf(first, 'BOTH');
  const second = await world.deploy(short, { person, stopLoss: 10 });
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  expect([await held(first), await held(second)]).toEqual([40, -15]);
  for (let i = 0; i < 3; i++) await runTicks();
  expect(
    workingStops('BOTH')
      .map(({ side }) => side)
      .sort(),
  ).toEqual(['buy', 'sell']);
  await requestStatus(handle.pool, first, 'stopped');
  await runTicks();
  expect(await sales(first)).toMatchObject([{ purpose: 'liquidation', status: 'filled' }]);
  expect([await held(first), await held(second)]).toEqual([0, -15]);
  expect(venue.position('BOTH', 'AAA')).toBe(-15e8);
});

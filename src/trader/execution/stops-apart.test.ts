// Two deployments in one account at a broker that takes no order while a stop is open on the other side, as a protection
// against wash trades.
import { beforeEach, expect, test } from 'vitest';
import { MINUTE_MS } from '#units/instant.ts';
import { BOTH_ABOVE_30 } from '../../../tests/support/trading-world.ts';
import { stopStage } from '../../../tests/support/stop-stage.ts';

const stage = await stopStage({ keepsStopsApart: true });
const { world, market, venue, orders, runTicks, workingStops, holds, invested, rows, handle } = stage;

const other = await world.addStrategy({ ...BOTH_ABOVE_30, universe: ['AAA'], name: 'The same again' });

/** A second deployment over the connection of the first. */
async function besides(first: string, account: string) {
  const [row] = await rows(
    `select user_id as user, broker_connection_id as connection from deployments where id = $1`,
    first,
  );
  return world.deploy(other, { stopLoss: 10, person: { ...row, account } });
}

const ticks = async (times: number) => {
  for (let i = 0; i < times; i++) await runTicks();
};

beforeEach(() => {
  venue.acrossStops = 0;
});

test('both get their trades: the stop of one makes way for the purchase of the other, and comes back', async () => {
  const { id: first, account } = await invested();
  const second = await besides(first, account);
  await ticks(6);
  expect(await orders(second)).toEqual(['buy 80 rebalance filled', 'sell 80 protective working']);
  expect(await orders(first)).toEqual([
    'buy 80 rebalance filled',
    'sell 80 protective cancelled',
    'sell 80 protective working',
  ]);
  expect(workingStops(account)).toEqual(['sell 80 at 89.1', 'sell 80 at 89.1']);
  expect(venue.acrossStops).toBe(0);
  await holds();
});

test('a purchase that does not fill gives way to the stop after five minutes, and is tried again', async () => {
  const { id: first, account } = await invested();
  venue.matches = false;
  const second = await besides(first, account);
  await ticks(4);
  expect((await orders(second)).at(-1)).toBe('buy 80 rebalance working');
  expect(workingStops(account)).toEqual([]);
  expect((await orders(first)).at(-1)).toBe('sell 80 protective intended');
  market.advance(4 * MINUTE_MS);
  await ticks(2);
  expect((await orders(second)).at(-1)).toBe('buy 80 rebalance working');
  market.advance(2 * MINUTE_MS);
  await ticks(1);
  expect(await orders(second)).toContain('buy 80 rebalance cancelled');
  venue.matches = true;
  market.advance(MINUTE_MS);
  await ticks(6);
  expect((await orders(second)).filter((one) => one.startsWith('buy'))).toEqual([
    'buy 80 rebalance cancelled',
    'buy 80 rebalance filled',
  ]);
  expect(workingStops(account)).toEqual(['sell 80 at 89.1', 'sell 80 at 89.1']);
  expect(venue.acrossStops).toBe(0);
  await holds();
});

test('a restart between the cancel of the stop and the purchase changes nothing', async () => {
  const { id: first, account } = await invested();
  venue.cancellations = 'slow';
  const second = await besides(first, account);
  await ticks(3);
  expect(await orders(second)).toEqual(['buy 80 rebalance intended']);
  await world.restart();
  venue.orders.find((order) => order.accountId === account && order.stopPrice !== null)!.status = 'cancelled';
  venue.cancellations = 'at once';
  await ticks(6);
  expect((await orders(second))[0]).toBe('buy 80 rebalance filled');
  expect(workingStops(account)).toEqual(['sell 80 at 89.1', 'sell 80 at 89.1']);
  expect(venue.acrossStops).toBe(0);
  await holds();
});

test('over two connections to one account too', async () => {
  const { account } = await invested();
  const second = await world.deploy(other, { stopLoss: 10, account });
  await ticks(8);
  expect((await orders(second))[0]).toBe('buy 80 rebalance filled');
  expect(workingStops(account)).toEqual(['sell 80 at 89.1', 'sell 80 at 89.1']);
  expect(venue.acrossStops).toBe(0);
});

test('a purchase that a kill switch halts takes no stop away', async () => {
  const { id: first, account } = await invested();
  venue.cancellations = 'slow';
  const second = await besides(first, account);
  await ticks(2);
  venue.cancellations = 'at once';
  const [{ strategy }] = await rows(`select strategy_id as strategy from deployments where id = $1`, second);
  await handle.pool.query(
    `insert into kill_switches (id, scope, target, cancels_working, because, set_by)
     values (gen_random_uuid(), 'strategy', $1, false, 'a test', 'a test')`,
    [strategy],
  );
  venue.orders.find((order) => order.accountId === account && order.stopPrice !== null)!.status = 'cancelled';
  await ticks(6);
  expect(await orders(second)).toEqual(['buy 80 rebalance intended']);
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  await handle.pool.query(`update kill_switches set lifted_by = 'a test', lifted_at = clock_timestamp()`);
});

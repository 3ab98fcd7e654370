import { describe, expect, test } from 'vitest';
import { nextSession } from '#engine/market/calendar.ts';
import { HOUR_MS } from '#units/instant.ts';
import { stopStage } from '../../../tests/support/stop-stage.ts';
import { shownNotices } from '../../../tests/support/shown-notices.ts';

const stage = await stopStage();
const { handle, world, market, venue, orders, held, rows } = stage;
const { command, limit, runTicks, workingStops, holds, invested } = stage;

test('a stop works for the whole position, beyond the stop loss, as soon as the purchase has filled', async () => {
  const { id, account } = await invested();
  expect(await orders(id)).toEqual(['buy 80 rebalance filled', 'sell 80 protective working']);
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  await runTicks();
  expect(workingStops(account)).toHaveLength(1);
  await holds();
});

test('a strategy without a stop loss has no protective stop', async () => {
  const { id, account } = await invested({ stopLoss: 0 });
  expect(workingStops(account)).toEqual([]);
  expect(await orders(id)).toEqual(['buy 80 rebalance filled']);
});

test('a new limit replaces the stop: the old one is cancelled before the new one is sent', async () => {
  const { id, account } = await invested();
  venue.cancellations = 'slow';
  await limit(id, 20);
  await runTicks();
  await runTicks();
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  venue.orders.find((order) => order.accountId === account && order.stopPrice !== null)!.status = 'cancelled';
  await runTicks();
  await runTicks();
  expect(workingStops(account)).toEqual(['sell 80 at 79.2']);
  await holds();
});

test('a larger position is covered in full', async () => {
  const { id, account } = await invested();
  await handle.pool.query(
    `update deployments set applied_target_id = null, investment_micro = investment_micro, max_allocation_percent = 40 where id = $1`,
    [id],
  );
  await runTicks();
  await runTicks();
  market.openDay();
  await runTicks();
  await runTicks();
  expect(await held(id)).toBe(39);
  expect(workingStops(account)).toEqual(['sell 39 at 89.1']);
  await handle.pool.query(
    `update deployments set applied_target_id = null, max_allocation_percent = 0 where id = $1`,
    [id],
  );
  await runTicks();
  await runTicks();
  expect(await held(id)).toBeGreaterThan(70);
  expect(workingStops(account)).toEqual([`sell ${await held(id)} at 89.1`]);
  await holds();
});

describe('an exit of its position', () => {
  test('leaves once the cancel of the stop is confirmed, in the same look', async () => {
    const { id, account } = await invested();
    market.setPrice('AAA', 89.5);
    await runTicks();
    expect(await orders(id)).toEqual([
      'buy 80 rebalance filled',
      'sell 80 protective cancelled',
      'sell 80 stop_loss filled',
    ]);
    expect(venue.position(account, 'AAA')).toBe(0);
    expect(workingStops(account)).toEqual([]);
    await holds();
  });

  test('waits until the cancel is confirmed', async () => {
    const { id, account } = await invested();
    venue.cancellations = 'slow';
    market.setPrice('AAA', 89.5);
    for (let i = 0; i < 3; i++) await runTicks();
    expect((await orders(id)).at(-1)).toBe('sell 80 stop_loss intended');
    expect(venue.orders.filter((one) => one.accountId === account && one.side === 'sell')).toHaveLength(1);
    await holds();
    venue.orders.find((order) => order.accountId === account && order.stopPrice !== null)!.status =
      'cancelled';
    await runTicks();
    await runTicks();
    expect((await orders(id)).at(-1)).toBe('sell 80 stop_loss filled');
    expect(venue.position(account, 'AAA')).toBe(0);
    await holds();
  });

  test('waits also when the strategy sells only a part, and so do further purchases', async () => {
    const { id, account } = await invested();
    venue.cancellations = 'slow';
    const allow = (percent: number) =>
      handle.pool.query(
        `update deployments set applied_target_id = null, max_allocation_percent = $2 where id = $1`,
        [id, percent],
      );
    const sent = () => venue.orders.filter((one) => one.accountId === account).length;
    await allow(40);
    for (let i = 0; i < 3; i++) await runTicks();
    expect((await orders(id)).at(-1)).toBe('sell 41 rebalance intended');
    expect(sent()).toBe(2);
    venue.cancellations = 'at once';
    venue.orders.find((order) => order.accountId === account && order.stopPrice !== null)!.status =
      'cancelled';
    for (let i = 0; i < 3; i++) await runTicks();
    expect(workingStops(account)).toEqual(['sell 39 at 89.1']);
    venue.cancellations = 'slow';
    const before = sent();
    await allow(0);
    for (let i = 0; i < 3; i++) await runTicks();
    expect((await orders(id)).at(-1)).toMatch(/^buy .* rebalance intended$/);
    expect(sent()).toBe(before);
    await holds();
  });

  test('is withdrawn when the stop fills while its cancel is in-flight: nothing is sold twice', async () => {
    const { id, account } = await invested();
    venue.cancellations = 'fill wins';
    market.setPrice('AAA', 89.5);
    for (let i = 0; i < 3; i++) await runTicks();
    expect(await orders(id)).toEqual([
      'buy 80 rebalance filled',
      'sell 80 protective filled',
      'sell 80 stop_loss withdrawn',
    ]);
    expect(venue.position(account, 'AAA')).toBe(0);
    await holds();
  });

  test('waits, and a partly filled stop leaves it only the rest', async () => {
    const { id, account } = await invested();
    venue.cancellations = 'slow';
    market.setPrice('AAA', 89.5);
    await runTicks();
    market.setPrice('AAA', 88);
    venue.fillsAtMost = 30e8 as never;
    market.advance(60_000);
    venue.fillsAtMost = 0 as never;
    await runTicks();
    expect(venue.position(account, 'AAA')).toBe(50e8);
    venue.fillsAtMost = null;
    venue.orders.find((order) => order.accountId === account && order.stopPrice !== null)!.status =
      'cancelled';
    for (let i = 0; i < 4; i++) await runTicks();
    expect(venue.position(account, 'AAA')).toBe(0);
    expect(await held(id)).toBe(0);
    await holds();
  });

  test('follows after a crash between the cancel and the exit', async () => {
    const { id, account } = await invested();
    venue.cancellations = 'slow';
    market.setPrice('AAA', 89.5);
    await runTicks();
    await world.restart();
    venue.orders.find((order) => order.accountId === account && order.stopPrice !== null)!.status =
      'cancelled';
    await runTicks();
    await runTicks();
    expect((await orders(id)).at(-1)).toBe('sell 80 stop_loss filled');
    expect(venue.position(account, 'AAA')).toBe(0);
    await holds();
  });
});

test('a stop that fills between looks is booked once, notified, and not bought back', async () => {
  const { id, account } = await invested();
  venue.down = true;
  market.setPrice('AAA', 85);
  market.advance(HOUR_MS);
  venue.down = false;
  market.setPrice('AAA', 95);
  await runTicks();
  expect(await orders(id)).toEqual(['buy 80 rebalance filled', 'sell 80 protective filled']);
  expect(await held(id)).toBe(0);
  const reported = await shownNotices(handle, `deployment_id = $1 and kind = 'order_filled'`, id);
  expect(reported.at(-1)?.message).toContain('This was the protective stop at your broker');
  await handle.pool.query(`update deployments set applied_target_id = null where id = $1`, [id]);
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  expect(await held(id)).toBe(0);
  expect(workingStops(account)).toEqual([]);
  await holds();
});

test('a restart adopts the working stop, and places no second one', async () => {
  const { account } = await invested();
  await world.restart();
  await runTicks();
  await runTicks();
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  await holds();
});

test('the database refuses a second stop for a position', async () => {
  const { id } = await invested();
  const second = rows(
    `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
       quantity, limit_price, reference_price, status, decided_at)
     select gen_random_uuid(), deployment_id, broker_connection_id, 'second', cause, purpose, attempt + 1, symbol, side,
       quantity, limit_price, reference_price, 'intended', decided_at
     from orders where deployment_id = $1 and purpose = 'protective'`,
    id,
  );
  await expect(second).rejects.toThrow('one_protective_order');
});

test('no stop works over the night of a split, and the new one has the new size and price', async () => {
  const { id, account } = await invested();
  market.actions.push({
    symbol: 'AAA' as never,
    kind: 'split',
    exDate: new Date(nextSession('us-equity', market.now()).opensAt).toISOString().slice(0, 10) as never,
    amount: 2,
  });
  await runTicks();
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  market.closeDay();
  market.setPrice('AAA', 50);
  for (const { account_id } of await rows(`select account_id from broker_connections c
    join deployments d on d.broker_connection_id = c.id join positions p on p.deployment_id = d.id`))
    venue.deliver(account_id, 'AAA', 80);
  await runTicks();
  expect(await held(id)).toBe(160);
  expect(workingStops(account)).toEqual([]);
  market.openDay();
  await runTicks();
  await runTicks();
  expect(workingStops(account)).toEqual(['sell 160 at 44.55']);
  await command(id, 'stopped');
  for (let i = 0; i < 3; i++) await runTicks();
  expect(venue.position(account, 'AAA')).toBe(0);
});

test('a crash between the intent and its sending places one stop, not two', async () => {
  venue.faults.push(null, 'dies before');
  const { id, account } = await invested();
  await world.restart();
  await runTicks();
  await runTicks();
  expect(workingStops(account).length).toBeLessThanOrEqual(1);
  expect(
    (await orders(id)).filter((one) => /protective (intended|sending|working|unknown)/.test(one)),
  ).toHaveLength(1);
  await holds();
});

test('a stop of unknown fate is in quarantine: no stop is sent, and it is adopted once it shows up', async () => {
  venue.hidesOrders = false;
  venue.faults.push(null, 'lost, accepted');
  venue.hidesStops = true;
  const { id, account } = await invested();
  await runTicks();
  expect((await orders(id)).at(-1)).toBe('sell 80 protective unknown');
  await runTicks();
  expect(workingStops(account)).toHaveLength(1);
  venue.hidesStops = false;
  await runTicks();
  expect((await orders(id)).at(-1)).toBe('sell 80 protective working');
  await holds();
});

test('a stop ends with its session, and is placed again when the next one opens', async () => {
  const { id, account } = await invested();
  for (let day = 0; day < 3; day++) {
    market.closeDay();
    await runTicks();
    expect(workingStops(account)).toEqual([]);
    await runTicks();
    expect((await orders(id)).at(-1)).toBe('sell 80 protective expired');
    market.openDay();
    await runTicks();
    expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  }
  expect(await shownNotices(handle, `deployment_id = $1 and kind = 'order_not_filled'`, id)).toEqual([]);
  await holds();
});

test('a pause keeps the working stop, and sends no new one', async () => {
  const { id, account } = await invested();
  await command(id, 'paused');
  await runTicks();
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  const [paused] = await rows(`select status, reason_params from deployments where id = $1`, id);
  expect(paused).toMatchObject({ status: 'paused' });
  expect(paused.reason_params).toEqual({ keepsStops: true, atBroker: [] });
  venue.orders.find((order) => order.accountId === account && order.stopPrice !== null)!.status = 'cancelled';
  await runTicks();
  await runTicks();
  expect(workingStops(account)).toEqual([]);
  await holds();
});

test('a deployment that stops sells once, and ends with nothing at the broker', async () => {
  const { id, account } = await invested();
  await command(id, 'stopped');
  for (let i = 0; i < 4; i++) await runTicks();
  expect(await rows(`select status from deployments where id = $1`, id)).toEqual([{ status: 'stopped' }]);
  expect(workingStops(account)).toEqual([]);
  expect(venue.position(account, 'AAA')).toBe(0);
  await holds();
});

test('without an agreement the stop keeps working, even when the stop loss is passed', async () => {
  const { id, account } = await invested();
  const sign = (status: string) =>
    rows(
      `update agreements set status = $2 where user_id = (select user_id from deployments where id = $1)`,
      id,
      status,
    );
  await sign('declined');
  market.setPrice('AAA', 89.5);
  for (let i = 0; i < 3; i++) await runTicks();
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  expect(venue.position(account, 'AAA')).toBe(80e8);
  await sign('signed');
  market.setPrice('AAA', 89.4);
  await runTicks();
  await runTicks();
  expect(venue.position(account, 'AAA')).toBe(0);
  await holds();
});

// Stops that the broker works without showing them: of an earlier brokerage session, or of a submission without an answer.
import { expect, test } from 'vitest';
import { resolveOrder } from '#records/execution/order-resolutions.ts';
import type { OrderId } from '#units/identifiers.ts';
import { HOUR_MS } from '#units/instant.ts';
import { stopStage } from '../../../tests/support/stop-stage.ts';

const stage = await stopStage();
const { handle, world, market, venue, orders, rows } = stage;
const { runTicks, workingStops, holds, invested } = stage;

/** A restart of the brokerage session: what works there is in no list any more. */
async function stopNoLongerShown() {
  const stage = await invested();
  venue.hidesStops = true;
  await runTicks();
  return stage;
}

const stopOf = async (id: string) =>
  (
    await rows(
      `select id, status, visibility, reason_code as reason, cancel_tries as tries from orders
       where deployment_id = $1 and purpose = 'protective' order by created_at desc limit 1`,
      id,
    )
  )[0];
const exitOf = async (id: string) =>
  (
    await rows(
      `select status, reason_code as reason from orders
       where deployment_id = $1 and purpose = 'stop_loss' order by created_at desc limit 1`,
      id,
    )
  )[0];

async function resolve(id: string, brokerOrderId: string | null) {
  const { id: orderId } = await stopOf(id);
  await resolveOrder(handle.database, {
    orderId: orderId as OrderId,
    brokerOrderId,
    because: 'the order list of the day',
    decidedBy: 'staff',
  });
}

test('a stop that no list shows any more works on: it is not ended, not asked for alone, and no second one is sent', async () => {
  const { id, account } = await stopNoLongerShown();
  let asked = 0;
  venue.onCall = (call) => void (asked += call === 'findOrder' ? 1 : 0);
  await world.restart();
  for (let look = 0; look < 30; look++) await runTicks();
  venue.onCall = null;
  expect(await stopOf(id)).toMatchObject({ status: 'working', visibility: 'shown_earlier', reason: null });
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  expect(asked).toBe(0);
  await holds();
});

test('it ends with its day, when the positions agree, and the next session gets its own', async () => {
  const { id, account } = await stopNoLongerShown();
  market.closeDay();
  for (let look = 0; look < 3; look++) {
    market.advance(HOUR_MS);
    await runTicks();
  }
  expect((await orders(id)).at(-1)).toBe('sell 80 protective expired');
  venue.hidesStops = false;
  market.openDay();
  await runTicks();
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  await holds();
});

test('an exit behind it is a task for staff at the second look, and leaves on their word', async () => {
  const { id, account } = await stopNoLongerShown();
  market.setPrice('AAA', 89.5);
  await runTicks();
  expect(await exitOf(id)).toEqual({ status: 'intended', reason: 'stop_not_cancelled' });
  await runTicks();
  expect(await stopOf(id)).toMatchObject({ status: 'working', reason: 'cancel_not_confirmed' });
  expect(await exitOf(id)).toEqual({ status: 'intended', reason: 'stop_not_confirmed' });
  const tasks = () =>
    rows(`select kind, ended_how as ended from incidents where deployment_id = $1 order by since`, id);
  expect(await tasks()).toEqual([{ kind: 'exit_waits_for_stop', ended: null }]);
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  // Staff cancel it on the broker's own screen.
  venue.orders.find((order) => order.accountId === account && order.stopPrice !== null)!.status = 'cancelled';
  await resolve(id, null);
  await runTicks();
  await runTicks();
  expect(await exitOf(id)).toMatchObject({ status: 'filled' });
  expect(await tasks()).toEqual([{ kind: 'exit_waits_for_stop', ended: 'cleared' }]);
  expect(venue.position(account, 'AAA')).toBe(0);
  await holds();
});

test('it stays a task while staff find it working, and the exit leaves by itself once its day is over', async () => {
  const { id, account } = await stopNoLongerShown();
  market.setPrice('AAA', 89.5);
  for (let look = 0; look < 3; look++) await runTicks();
  await resolve(id, 'B2');
  await runTicks();
  expect(await stopOf(id)).toMatchObject({ status: 'working', reason: 'cancel_not_confirmed' });
  expect(venue.position(account, 'AAA')).toBe(80e8);
  market.closeDay();
  for (let look = 0; look < 3; look++) {
    market.advance(HOUR_MS);
    await runTicks();
  }
  market.openDay();
  for (let look = 0; look < 3; look++) await runTicks();
  expect(venue.position(account, 'AAA')).toBe(0);
  await holds();
});

test('its execution ends the wait: nothing is sold twice', async () => {
  const { id, account } = await stopNoLongerShown();
  market.setPrice('AAA', 89.5);
  for (let look = 0; look < 3; look++) await runTicks();
  market.setPrice('AAA', 89);
  market.advance(60_000);
  for (let look = 0; look < 3; look++) await runTicks();
  expect((await orders(id)).slice(1, 3)).toEqual([
    'sell 80 protective filled',
    'sell 80 stop_loss withdrawn',
  ]);
  expect(venue.position(account, 'AAA')).toBe(0);
  await holds();
});

test('it is asked to cancel six times at most, also over restarts', async () => {
  const { id } = await stopNoLongerShown();
  let asked = 0;
  venue.onCall = (call) => void (asked += call === 'cancelOrder' ? 1 : 0);
  market.setPrice('AAA', 89.5);
  for (let look = 0; look < 60; look++) {
    if (look % 10 === 0) await world.restart();
    await runTicks();
  }
  venue.onCall = null;
  expect(asked).toBe(6);
  expect(await stopOf(id)).toMatchObject({ tries: 6 });
});

test('a stop that shows up after staff called it gone is cancelled: another may have replaced it', async () => {
  venue.faults.push(null, 'lost, accepted');
  venue.hidesStops = true;
  const { id, account } = await invested();
  await runTicks();
  await resolve(id, null);
  await runTicks();
  await runTicks();
  expect((await orders(id)).slice(1)).toEqual(['sell 80 protective cancelled', 'sell 80 protective working']);
  expect(workingStops(account)).toHaveLength(2);
  venue.hidesStops = false;
  await runTicks();
  await runTicks();
  expect(workingStops(account)).toEqual(['sell 80 at 89.1']);
  await holds();
});

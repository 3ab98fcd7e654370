// The operators' drill of what orders, rows and cash can do: from its cause to the desk, and to its end by what the desk or
// the client's own settings offer over HTTP, or by the cause itself. No SQL solves anything.
import { afterAll, afterEach, expect, test } from 'vitest';
import { investor } from '../api/scene.ts';
import { BOTH_ABOVE_30 } from '#tests/support/trading-world.ts';
import { HOUR_MS } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { requestStatus } from '#tests/support/deployment-commands.ts';
import { drillDesk, ORDER_DRILL } from './drill-desk.ts';
import { agree } from '#tests/support/two-people.ts';

const drill = await drillDesk(['equity']);
const { app, world, market, venue, runTicks, trading, desk, incident, incidents, review, isOver, drilled } = {
  ...drill,
  ...drill.world,
};
afterAll(() => world.trader.close());
const oneShare = await world.addStrategy({ ...BOTH_ABOVE_30, universe: ['AAA'], name: 'One share' });

afterEach(async () => {
  Object.assign(venue, { hidesStops: false, hidesOrders: false, oddRows: [], asks: null, matches: true });
  Object.assign(venue, { statesCommissions: true });
  venue.spoilt.clear();
  venue.faults.length = 0;
  await nextDay();
  await review();
});

async function nextDay() {
  market.closeDay();
  for (let look = 0; look < 3; look++) {
    market.advance(HOUR_MS);
    await runTicks(1);
  }
  market.setPrice('AAA', 100);
  market.openDay();
  await runTicks(2);
}

/** 80 AAA at 100 with a stop loss of ten percent, and its stop at the broker. */
async function protectedPosition(account: string) {
  market.setPrice('AAA', 100);
  market.closeDay();
  const id = await world.deploy(oneShare, { account, stopLoss: 10 });
  await runTicks(1);
  market.openDay();
  await runTicks(2);
  return id;
}

const unconfirmed = async (account: string) =>
  (await desk()).orders.results.find((one) => one.account === account)!;
/** One person says what they saw, another approves. */
const resolve = (order: { id: string; client_order_id: string }, brokerOrderId: string | null) =>
  agree(app, [drill.sue, drill.bob], {
    action: 'resolve_order',
    subject: order.id,
    broker_order_id: brokerOrderId,
    confirmation: order.client_order_id.slice(-6),
  });

test('an exit behind a stop that nothing shows wakes an operator, and leaves on what they saw at the broker', async () => {
  await protectedPosition('OD1');
  venue.hidesStops = true;
  market.setPrice('AAA', 89.5);
  await runTicks(3);
  expect(await incident('exit_waits_for_stop')).toMatchObject({
    severity: 'act_now',
    whose_move: 'staff',
    account: 'OD1',
    symbol: 'AAA',
    deployments: 1,
    exits_waiting: 1,
  });
  expect(await review()).toEqual({
    posted: ['incident.opened exit_waits_for_stop'],
    mailed: ['act now: Exit waits for a stop (AAA, OD1)'],
  });
  // They cancel it on the broker's own screen, and say so at the desk.
  const stop = venue.orders.find((order) => order.accountId === 'OD1' && order.stopPrice !== null)!;
  stop.status = 'cancelled';
  const said = await resolve(await unconfirmed('OD1'), null);
  expect(said.status, said.text).toBe(200);
  await runTicks(3);
  expect(venue.position('OD1', 'AAA')).toBe(0);
  expect((await review()).posted).toEqual(['incident.ended exit_waits_for_stop']);
  await isOver('exit_waits_for_stop');
});

test('an exit behind an order of unknown fate wakes an operator, and leaves once that one is resolved', async () => {
  const leaving = await trading('OD9');
  venue.hidesOrders = true;
  venue.matches = false;
  venue.faults.push('lost, not accepted');
  market.closeDay();
  await world.deploy(oneShare, { account: 'OD9' });
  await runTicks(1);
  market.openDay();
  await runTicks(2);
  expect(await incident('order_unconfirmed')).toMatchObject({ account: 'OD9', symbol: 'AAA' });
  await requestStatus(app.records.pool, leaving.id, 'liquidated');
  await runTicks(3);
  expect(await incident('exit_waits_for_order')).toMatchObject({
    severity: 'act_now',
    whose_move: 'staff',
    account: 'OD9',
    symbol: 'AAA',
  });
  expect((await review()).posted).toContain('incident.opened exit_waits_for_order');
  Object.assign(venue, { hidesOrders: false, matches: true });
  const said = await resolve(await unconfirmed('OD9'), null);
  expect(said.status, said.text).toBe(200);
  await runTicks(3);
  // What is left is the other deployment's purchase, decided again.
  expect(venue.position('OD9', 'AAA')).toBe(toQuantity(80));
  await isOver('exit_waits_for_order');
});

test('an order without an answer that nobody can find is resolved at the desk', async () => {
  venue.hidesOrders = true;
  venue.matches = false;
  venue.faults.push('lost, not accepted');
  await protectedPosition('OD3');
  expect(await incident('order_unconfirmed')).toMatchObject({
    account: 'OD3',
    symbol: 'AAA',
    severity: 'today',
    whose_move: 'nobody',
  });
  world.wait(HOUR_MS);
  await runTicks(1);
  expect((await review()).posted).toContain('incident.opened order_unconfirmed');
  const said = await resolve(await unconfirmed('OD3'), null);
  expect(said.status, said.text).toBe(200);
  await runTicks(2);
  await isOver('order_unconfirmed');
});

test('a question about market data is declined until the client allows it, and the next order is taken', async () => {
  const person = await investor(app);
  market.setPrice('AAA', 100);
  market.closeDay();
  const account = app.world.accountId;
  const of = { user: person.id, connection: person.connectionId, account };
  const id = await world.deploy(oneShare, { person: of });
  venue.asks = 'market_data';
  await runTicks(1);
  market.openDay();
  await runTicks(2);
  expect(await incident('question_declined')).toMatchObject({
    account,
    whose_move: 'owner',
    severity: 'today',
    quote: 'Are you sure?',
    meaning: expect.stringContaining('without a subscription to its market data'),
    next_step: expect.stringContaining('Never choose for them.'),
  });
  const { body: trades } = await app.request({
    url: `/api/deployments/${id}/trades/`,
    token: person.token,
  });
  expect(JSON.stringify(trades)).toContain('allow it under Account, Brokers');
  expect(venue.position(account, 'AAA')).toBe(0);

  const url = `/api/broker-connections/${person.connectionId}/`;
  const body = { trades_without_market_data: true };
  const allowed = await app.request({ method: 'PATCH', url, token: person.token, body });
  expect(allowed.body, allowed.text).toMatchObject(body);
  await runTicks(1);
  await isOver('question_declined');
  // The strategy leaves the instrument and enters it again.
  for (const close of [29, 100]) {
    market.setPrice('AAA', close);
    market.closeDay();
    await runTicks(1);
    market.openDay();
    await runTicks(2);
  }
  expect(venue.position(account, 'AAA')).toBeGreaterThan(0);
  // The other clients have not been asked.
  expect((await incidents('question_declined')).map((one) => one.account)).not.toContain(account);
});

test('an exit that was declined for want of market data leaves at the next look once the client allows it', async () => {
  const person = await investor(app);
  const account = app.world.accountId;
  const of = { user: person.id, connection: person.connectionId, account };
  market.setPrice('AAA', 100);
  market.closeDay();
  await world.deploy(oneShare, { person: of, stopLoss: 10 });
  await runTicks(1);
  market.openDay();
  await runTicks(2);
  const held = venue.position(account, 'AAA');
  expect(held).toBeGreaterThan(0);
  venue.asks = 'market_data';
  market.setPrice('AAA', 89);
  await runTicks(3);
  expect(venue.position(account, 'AAA')).toBe(held);
  const declined = (await incidents('question_declined')).find((one) => one.account === account);
  expect(declined).toMatchObject({ severity: 'act_now', whose_move: 'owner' });
  expect((await review()).posted).toContain('incident.opened question_declined');
  const submitted = venue.submissions.length;
  await runTicks(3);
  expect(venue.submissions).toHaveLength(submitted);
  const url = `/api/broker-connections/${person.connectionId}/`;
  const body = { trades_without_market_data: true };
  expect((await app.request({ method: 'PATCH', url, token: person.token, body })).status).toBe(200);
  await runTicks(1);
  expect(venue.position(account, 'AAA')).toBe(0);
  expect((await review()).posted).toContain('incident.ended question_declined');
});

test('cash that nothing explains is booked by two people at the desk', async () => {
  await trading('OD6');
  market.closeDay();
  venue.pay('OD6', toMicro(250));
  await runTicks(3);
  expect(await incident('cash_unexplained')).toMatchObject({ account: 'OD6', whose_move: 'staff' });
  const difference = (await desk()).cash_differences.results.find(({ account }) => account === 'OD6')!;
  const approved = await agree(app, [drill.sue, drill.bob], {
    action: 'explain_cash',
    subject: difference.id,
    cause: 'deposit',
  });
  expect(approved.status, approved.text).toBe(200);
  await runTicks(2);
  await isOver('cash_unexplained');
});

test('every kind of its list is drilled', () => {
  expect([...drilled].toSorted()).toEqual(ORDER_DRILL.toSorted());
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { requestStatus } from '#tests/support/deployment-commands.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { quantity } from '#units/quantity.ts';
import { agree, decide, propose } from '#tests/support/two-people.ts';

const app = await testApp();
const world = await tradingWorld(app.records);
const { market, venue } = world;
afterAll(() => world.trader.close());
const { pool } = app.records;
const version = await world.addStrategy(BOTH_ABOVE_30);
const rows = async (query: string, ...values: unknown[]) => (await pool.query(query, values)).rows;
const sue = await signedInPerson(app);
await giveRole(app.records, sue, 'support');

const runTicks = () => {
  world.wait(60_000);
  return world.trader.tick();
};
const desk = async (): Promise<OperationsDesk> => {
  const answer = await app.request({ url: '/api/operations/', token: sue.token });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const trades = async (account: string) => {
  market.closeDay();
  const id = await world.deploy(version, { account });
  await runTicks();
  market.openDay();
  await runTicks();
  return id;
};

test('a lasting difference is shown with what waits for it, and disappears once it is resolved', async () => {
  const id = await trades('DU77');
  expect((await desk()).differences.results).toEqual([]);
  // Gone without an execution: the owner moved shares elsewhere.
  const held = venue.position('DU77', 'AAA') / 1e8;
  venue.deliver('DU77', 'AAA', -held);
  await runTicks();
  await runTicks();
  const [{ email }] = await rows(
    `select u.email from users u join deployments d on d.user_id = u.id where d.id = $1`,
    id,
  );
  const [difference] = (await desk()).differences.results;
  expect(difference).toMatchObject({
    account: 'DU77',
    broker_name: 'Scripted',
    clients: [email],
    symbol: 'AAA',
    our_quantity: held,
    external_quantity: 0,
    broker_quantity: 0,
    blocks_exits: true,
    exits_waiting: 0,
  });
  await requestStatus(pool, id, 'stopped');
  for (let i = 0; i < 3; i++) await runTicks();
  expect((await desk()).differences.results[0]).toMatchObject({ id: difference!.id, exits_waiting: 1 });
  // A restarted trader learns of it from the account, and keeps its start time.
  await world.restart();
  await runTicks();
  expect((await desk()).differences.results[0]).toMatchObject({ since: difference!.since });
  venue.deliver('DU77', 'AAA', held);
  for (let i = 0; i < 3; i++) await runTicks();
  expect((await desk()).differences.results).toEqual([]);
  expect(
    (
      await rows(
        `select action from audit_log where subject = $1 order by seq`,
        `reconciliation_break:${difference!.id}`,
      )
    ).map(({ action }) => action),
  ).toEqual(['reconciliation_break.created', 'reconciliation_break.changed']);
});

test('holdings beyond our books block nothing, and the desk says so', async () => {
  await trades('DU78');
  venue.deliver('DU78', 'AAA', 5);
  for (let i = 0; i < 2; i++) await runTicks();
  const [difference] = (await desk()).differences.results;
  expect(difference).toMatchObject({ account: 'DU78', symbol: 'AAA', blocks_exits: false });
  expect(difference!.broker_quantity - difference!.our_quantity).toBe(5);
  venue.deliver('DU78', 'AAA', -5);
  for (let i = 0; i < 2; i++) await runTicks();
});

test('an order of unknown fate is shown with the known facts and their start time', async () => {
  market.closeDay();
  for (let i = 0; i < 3; i++) await runTicks();
  const id = await world.deploy(version, { account: 'DU79' });
  venue.faults.push('lost, not accepted');
  const before = Date.now();
  await runTicks();
  const [order] = (await desk()).orders.results;
  expect(order).toMatchObject({
    deployment: id,
    account: 'DU79',
    broker_name: 'Scripted',
    symbol: 'AAA',
    side: 'buy',
    purpose: 'rebalance',
    filled: 0,
    currency: 'USD',
    broker_order_id: null,
    session: 'connected',
    held_executions: 0,
    decision: null,
  });
  expect(order!.broker_message).not.toBe('');
  expect(Date.parse(order!.unknown_since!)).toBeGreaterThan(before - 60_000);
  // Repeated reads show the same silence.
  await runTicks();
  expect((await desk()).orders.results[0]!.unknown_since).toBe(order!.unknown_since);
});

test('a liquidation takes two people; of an approval and a refusal at once, one counts', async () => {
  const id = await trades('DU80');
  const request = randomUUID();
  await rows(
    `insert into liquidation_requests (id, deployment_id, requested_at) values ($1, $2, now())`,
    request,
    id,
  );
  expect((await desk()).liquidations.results).toMatchObject([{ id: request, deployment: id, refusal: null }]);
  const bob = await signedInPerson(app);
  const asked = { action: 'liquidate', subject: request };
  expect((await propose(app, bob, asked)).status).toBe(404);
  await giveRole(app.records, bob, 'support');
  const proposed = await propose(app, sue, asked);
  expect(proposed.status, proposed.text).toBe(201);
  expect((await decide(app, sue, { id: proposed.body.id })).status).toBe(403);
  const requested = async () =>
    (await rows(`select requested_status from deployments where id = $1`, id))[0].requested_status;
  expect(await requested(), 'one person sells nothing').toBeNull();
  const decline = () =>
    app.request({
      method: 'POST',
      url: `/api/operations/liquidation-requests/${request}/decline/`,
      token: sue.token,
      body: { reason: 'not today' },
    });
  const [approved, declined] = await Promise.all([decide(app, bob, { id: proposed.body.id }), decline()]);
  expect([approved.status, declined.status].toSorted()).toEqual([200, 409]);
  const isApproved = approved.status === 200;
  const told = await rows(
    `select kind from notifications where deployment_id = $1 and kind = 'liquidation_declined'`,
    id,
  );
  expect(told).toHaveLength(isApproved ? 0 : 1);
  // The same decision, sent again after its answer was lost.
  expect((await (isApproved ? decide(app, bob, { id: proposed.body.id }) : decline())).status).toBe(200);
  expect((await desk()).liquidations.results).toEqual([]);
  expect(await requested()).toBe(isApproved ? 'liquidated' : null);
});

describe('manual order resolution', async () => {
  const app = await testApp();
  const world = await tradingWorld(app.records);
  const { market, venue } = world;
  afterAll(() => world.trader.close());
  const { pool, database } = app.records;
  const version = await world.addStrategy(BOTH_ABOVE_30);
  const rows = async (query: string, ...values: unknown[]) => (await pool.query(query, values)).rows;
  const sue = await signedInPerson(app);
  await giveRole(app.records, sue, 'support');

  const runTicks = () => {
    world.wait(60_000);
    return world.trader.tick();
  };
  const aaa = async (id: string) =>
    (
      await rows(`select status from orders where deployment_id = $1 and symbol = 'AAA' order by attempt`, id)
    ).map(({ status }) => status);
  const held = async (id: string) =>
    (
      await rows(
        `select quantity::float8 as units from positions where deployment_id = $1 and symbol = 'AAA'`,
        id,
      )
    )[0]?.units ?? 0;
  const desk = async () =>
    (await app.request({ url: '/api/operations/', token: sue.token })).body.orders.results as {
      id: string;
      decision: object | null;
    }[];

  type Order = { id: string; client_order_id: string; units: number };
  /** Sent without an answer: the venue may or may not have it. */
  async function quarantined(fault: 'lost, accepted' | 'lost, not accepted') {
    for (let i = 0; i < 3; i++) await runTicks();
    const id = await world.deploy(version);
    venue.hidesOrders = true;
    venue.faults.push(fault);
    await runTicks();
    expect(await aaa(id)).toEqual(['unknown']);
    const [order] = await rows(
      `select id, client_order_id, quantity::float8 as units from orders where deployment_id = $1 and symbol = 'AAA'`,
      id,
    );
    const venueOrder = venue.orders.find(({ clientOrderId }) => clientOrderId === order.client_order_id);
    return { id, order: order as Order, venueOrder };
  }
  const bob = await signedInPerson(app);
  await giveRole(app.records, bob, 'support');
  const settling = (order: Order, said: object) => ({
    action: 'resolve_order',
    subject: order.id,
    reason: 'seen at the broker',
    confirmation: order.client_order_id.slice(-6),
    ...said,
  });
  /** One person says what they saw, another approves. */
  const resolveAs = (order: Order, said: object) => agree(app, [sue, bob], settling(order, said));
  const NEVER_ARRIVED = { broker_order_id: null };
  /** Fills at the venue now, under the client order id that the venue knows. */
  const executes = (order: Order, id: string, units: number, named = true) => {
    const [any] = venue.executions;
    venue.executions.push({
      accountId: (any?.accountId ?? 'DU') as never,
      execution: {
        executionId: id as never,
        brokerOrderId: `late-${id}`,
        brokerInstrumentId: 'AAA',
        clientOrderId: (named ? order.client_order_id : null) as never,
        symbol: 'AAA' as never,
        side: 'buy',
        quantity: quantity(Math.round(units * 1e8)),
        price: market.price('AAA'),
        commission: 1_000_000 as never,
        at: market.now(),
      },
    });
  };
  const accountOf = async (id: string) =>
    (
      await rows(
        `select account_id from broker_connections c join deployments d on d.broker_connection_id = c.id where d.id = $1`,
        id,
      )
    )[0].account_id as string;

  beforeEach(() => {
    venue.hidesOrders = false;
    market.closeDay();
  });

  test('"never arrived" ends the order and decides its target again, once, under another id', async () => {
    const { id, order } = await quarantined('lost, not accepted');
    const proposed = await propose(app, sue, settling(order, NEVER_ARRIVED));
    expect((await decide(app, sue, { id: proposed.body.id })).status).toBe(403);
    await runTicks();
    expect(await aaa(id), 'one person settles nothing').toEqual(['unknown']);
    for (let i = 0; i < 2; i++)
      expect(await decide(app, bob, { id: proposed.body.id })).toMatchObject({ status: 200 });
    expect((await desk()).find((one) => one.id === order.id)!.decision).toMatchObject({
      verdict: 'never_arrived',
      by: bob.email,
      broker_order_id: null,
    });
    venue.hidesOrders = false;
    await runTicks();
    await runTicks();
    expect((await aaa(id))[0]).toBe('cancelled');
    expect(await aaa(id)).toHaveLength(2);
    expect(venue.submissions.filter((one) => one === order.client_order_id)).toHaveLength(1);
    expect(await resolveAs(order, NEVER_ARRIVED)).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    });
    const log = await rows(
      `select actor, details from audit_log where action = 'order_resolution.created' order by seq desc limit 1`,
    );
    expect(log[0].actor).toBe(`staff:${bob.email}`);
    expect(log[0].details).toContain('seen at the broker');
  });

  test('"reached the broker", with the broker’s id, lets its executions be booked as ours', async () => {
    const { id, order, venueOrder } = await quarantined('lost, accepted');
    expect((await resolveAs(order, { broker_order_id: venueOrder!.brokerOrderId })).status).toBe(200);
    await runTicks();
    expect(await aaa(id)).toEqual(['working']);
    venue.hidesOrders = false;
    market.openDay();
    await runTicks();
    expect(await aaa(id)).toEqual(['filled']);
    expect(await held(id)).toBe(order.units);
  });

  test('an execution that arrives before the trader reads wins: the decision is not executed', async () => {
    const { id, order, venueOrder } = await quarantined('lost, accepted');
    expect((await resolveAs(order, NEVER_ARRIVED)).status).toBe(200);
    expect(venueOrder!.status).toBe('working');
    market.openDay();
    await runTicks();
    await runTicks();
    expect(await aaa(id)).toEqual(['filled']);
    expect(await held(id)).toBe(order.units);
    expect(await rows(`select carried_out_at from order_resolutions where order_id = $1`, order.id)).toEqual([
      { carried_out_at: null },
    ]);
  });

  test('an execution that arrives after the decision was executed is still booked', async () => {
    const { id, order, venueOrder } = await quarantined('lost, accepted');
    await resolveAs(order, NEVER_ARRIVED);
    await runTicks();
    expect((await aaa(id))[0]).toBe('cancelled');
    const account = await accountOf(id);
    executes(order, randomUUID(), order.units);
    Object.assign(venue.executions.at(-1)!, { accountId: account });
    venueOrder!.status = 'cancelled';
    venue.hidesOrders = false;
    await runTicks();
    await runTicks();
    const [{ filled }] = await rows(
      `select filled_quantity::float8 as filled from orders where id = $1`,
      order.id,
    );
    expect(filled).toBe(order.units);
    expect(await held(id)).toBeGreaterThanOrEqual(order.units);
  });

  test('a decision applies only to the silence in which it was made', async () => {
    const { id, order } = await quarantined('lost, not accepted');
    await resolveAs(order, NEVER_ARRIVED);
    // The broker reports a partial fill before the trader reads: the order exists. Then it is silent again.
    executes(order, randomUUID(), 1);
    Object.assign(venue.executions.at(-1)!, { accountId: await accountOf(id) });
    await runTicks();
    expect(await aaa(id)).toEqual(['working']);
    const { changeOrder } = await import('#records/execution/orders.ts');
    await changeOrder(database, order.id as never, { status: 'unknown', reason: { code: 'no_answer' } });
    await runTicks();
    await runTicks();
    expect(await aaa(id)).toEqual(['unknown']);
    expect((await desk()).find((one) => one.id === order.id)!.decision).toBeNull();
    // A new one counts.
    expect((await resolveAs(order, NEVER_ARRIVED)).status).toBe(200);
    await runTicks();
    expect((await aaa(id))[0]).toBe('cancelled');
    expect(await held(id)).toBeGreaterThanOrEqual(1);
  });

  test('the last of two decisions applies until it is executed', async () => {
    const { id, order, venueOrder } = await quarantined('lost, accepted');
    await resolveAs(order, NEVER_ARRIVED);
    await resolveAs(order, { broker_order_id: venueOrder!.brokerOrderId });
    expect((await desk()).find((one) => one.id === order.id)!.decision).toMatchObject({
      verdict: 'arrived',
      broker_order_id: venueOrder!.brokerOrderId,
    });
    await runTicks();
    expect(await aaa(id)).toEqual(['working']);
    expect(
      (await rows(`select broker_order_id from orders where id = $1`, order.id))[0].broker_order_id,
    ).toBe(venueOrder!.brokerOrderId);
  });

  test('a wrong confirmation, another order’s id or a user without the support role decides nothing', async () => {
    const { id, order } = await quarantined('lost, not accepted');
    const [{ broker_order_id: taken }] = await rows(
      `select broker_order_id from orders where deployment_id = $1 and symbol = 'BBB'`,
      id,
    );
    expect(taken).not.toBeNull();
    expect(await resolveAs(order, { ...NEVER_ARRIVED, confirmation: 'nope' })).toMatchObject({
      status: 400,
      body: { field: 'confirmation' },
    });
    expect(await resolveAs(order, { broker_order_id: taken })).toMatchObject({
      status: 409,
      body: { code: 'in_use', field: 'broker_order_id' },
    });
    expect((await resolveAs({ ...order, id: randomUUID() }, NEVER_ARRIVED)).status).toBe(404);
    const asked = await propose(app, await signedInPerson(app), settling(order, NEVER_ARRIVED));
    expect(asked.status).toBe(404);
    expect(await rows(`select from order_resolutions where order_id = $1`, order.id)).toEqual([]);
    await runTicks();
    expect(await aaa(id)).toEqual(['unknown']);
  });
});

import { requestStatus } from '#tests/support/deployment-commands.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { runStaffCommand } from '../../processes/staff/staff-command.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { signedInPerson } from '../../../tests/support/test-person.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../../../tests/support/trading-world.ts';

const app = await testApp();
const world = await tradingWorld(app.records);
const { market, venue } = world;
afterAll(() => world.trader.close());
const { pool, database } = app.records;
const version = await world.addStrategy(BOTH_ABOVE_30);
const rows = async (query: string, ...values: unknown[]) => (await pool.query(query, values)).rows;
const sue = await signedInPerson(app);
await runStaffCommand({ name: 'create', email: sue.email, role: 'support', firstName: 'S' }, database, null);

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

test('a difference that lasts is shown with what waits because of it, and is gone once it is', async () => {
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
  // A restarted trader knows of it from the account alone, and keeps since when it is.
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

test('what an account holds beyond our books blocks nothing, and says so', async () => {
  await trades('DU78');
  venue.deliver('DU78', 'AAA', 5);
  for (let i = 0; i < 2; i++) await runTicks();
  const [difference] = (await desk()).differences.results;
  expect(difference).toMatchObject({ account: 'DU78', symbol: 'AAA', blocks_exits: false });
  expect(difference!.broker_quantity - difference!.our_quantity).toBe(5);
  venue.deliver('DU78', 'AAA', -5);
  for (let i = 0; i < 2; i++) await runTicks();
});

test('an order of unknown fate is shown with what is known of it, and since when', async () => {
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
  // Looked at again and again it is the same silence.
  await runTicks();
  expect((await desk()).orders.results[0]!.unknown_since).toBe(order!.unknown_since);
});

test('a request to liquidate is decided once; the same decision sent again is the same answer', async () => {
  const id = await trades('DU80');
  const request = randomUUID();
  await rows(
    `insert into liquidation_requests (id, deployment_id, requested_at) values ($1, $2, now())`,
    request,
    id,
  );
  expect((await desk()).liquidations.results).toMatchObject([{ id: request, deployment: id, refusal: null }]);
  const decide = (body: object, token = sue.token) =>
    app.request({
      method: 'POST',
      url: `/api/operations/liquidation-requests/${request}/decide/`,
      token,
      body,
    });
  const bob = await signedInPerson(app);
  expect((await decide({ decision: 'approve' }, bob.token)).status).toBe(404);
  await runStaffCommand(
    { name: 'create', email: bob.email, role: 'support', firstName: 'B' },
    database,
    null,
  );
  const answers = await Promise.all([
    decide({ decision: 'approve' }),
    decide({ decision: 'decline', reason: 'not today' }, bob.token),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const isApproved = answers[0]!.status === 200;
  const broker_message = await rows(
    `select kind from notifications where deployment_id = $1 and kind = 'liquidation_declined'`,
    id,
  );
  expect(broker_message).toHaveLength(isApproved ? 0 : 1);
  const again = await (isApproved
    ? decide({ decision: 'approve' })
    : decide({ decision: 'decline', reason: 'not today' }, bob.token));
  expect(again).toMatchObject({
    status: 200,
    body: { id: request, decision: isApproved ? 'approve' : 'decline' },
  });
  expect((await desk()).liquidations.results).toEqual([]);
  expect((await rows(`select requested_status from deployments where id = $1`, id))[0].requested_status).toBe(
    isApproved ? 'liquidated' : null,
  );
});

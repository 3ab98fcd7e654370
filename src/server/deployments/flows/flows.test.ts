import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { setStatus } from '../../../../tests/support/deployment-commands.ts';
import { cashOf, reportCash, testApp } from '../../../../tests/support/test-app.ts';
import {
  type DeployedPerson,
  newDeployment,
  tradedDeployment,
} from '../../../../tests/support/test-deployment.ts';
import { publishedStrategy } from '../../../../tests/support/test-strategy.ts';

const app = await testApp();
const { request, records } = app;

const ask = ({ person, deploymentId }: DeployedPerson, body: object, headers: Record<string, string> = {}) =>
  request({
    method: 'POST',
    url: `/api/deployments/${deploymentId}/flows/`,
    token: person.token,
    body,
    headers,
  });
const read = async ({ person, deploymentId }: DeployedPerson) =>
  (await request({ url: `/api/deployments/${deploymentId}/flows/`, token: person.token })).body;
const cancel = ({ person, deploymentId }: DeployedPerson, flow: string) =>
  request({
    method: 'POST',
    url: `/api/deployments/${deploymentId}/flows/${flow}/cancel/`,
    token: person.token,
  });
const withdrawing = async ({ deploymentId }: DeployedPerson) =>
  (
    await records.pool.query(
      `select withdrawing_micro::float / 1e6 as dollars from deployments where id = $1`,
      [deploymentId],
    )
  ).rows[0].dollars;

test('what is asked for is a row that waits for the trader; the deployment says so, and what is to leave is kept apart', async () => {
  const mine = await tradedDeployment(app);
  const { status, body } = await ask(mine, { kind: 'withdrawal', amount: 1_234.56 });
  expect([status, body]).toMatchObject([
    201,
    { kind: 'withdrawal', status: 'pending', amount: 1_234.56, moved: null },
  ]);
  expect(await withdrawing(mine)).toBe(1_234.56);
  const shown = (await request({ url: `/api/deployments/${mine.deploymentId}/`, token: mine.person.token }))
    .body;
  expect(shown).toMatchObject({
    flows: [],
    pending_flow: { id: body.id, kind: 'withdrawal', amount: 1_234.56 },
  });
  expect((await read(mine)).results).toEqual([body]);
  const { rows } = await records.pool.query(`select actor, action from audit_log where subject = $1`, [
    `flow:${body.id}`,
  ]);
  expect(rows).toEqual([{ actor: `client:${mine.person.id}`, action: 'flow.created' }]);
});

test('of two requests at once one is taken, and a repeat of it under its key is the same one', async () => {
  const mine = await tradedDeployment(app);
  const key = { 'idempotency-key': randomUUID() };
  const body = { kind: 'deposit', amount: 100 };
  const answers = await Promise.all([ask(mine, body, key), ask(mine, body), ask(mine, body)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  const repeats = await Promise.all([ask(mine, body, key), ask(mine, body, key)]);
  expect((await read(mine)).results).toHaveLength(1);
  for (const { status } of repeats) expect([201, 409]).toContain(status);
});

test('a request is cancelled once, by its owner alone, and its money may be invested again', async () => {
  const [mine, theirs] = [await tradedDeployment(app), await tradedDeployment(app)];
  const { body } = await ask(mine, { kind: 'withdrawal', amount: 500 });
  expect((await cancel(theirs, body.id)).status).toBe(404);
  expect((await cancel({ ...theirs, deploymentId: mine.deploymentId }, body.id)).status).toBe(404);
  expect((await cancel(mine, body.id)).body).toMatchObject({ status: 'cancelled', moved: null });
  expect((await cancel(mine, body.id)).status).toBe(200);
  expect(await withdrawing(mine)).toBe(0);
  expect((await ask(mine, { kind: 'withdrawal', amount: 500 })).status).toBe(201);
});

test('two deposits of one person cannot pass the cap of the plan together', async () => {
  const mine = await tradedDeployment(app);
  const plan = { plan: 'basic', interval: 'monthly' };
  await request({ method: 'POST', url: '/api/billing/plan/', token: mine.person.token, body: plan });
  const { body: other } = await request({
    method: 'POST',
    url: '/api/deployments/',
    token: mine.person.token,
    body: {
      strategy: await publishedStrategy(app),
      broker_connection: mine.person.connectionId,
      investment_amount: 10_000,
      stop_loss_percentage: 10,
      max_allocation_per_trade: 20,
      freeze_on_drawdown: 25,
    },
  });
  await setStatus(records.pool, other.id, 'active');
  const second = { ...mine, deploymentId: other.id as string };
  const body = { kind: 'deposit', amount: 20_000 };
  const answers = await Promise.all([ask(mine, body), ask(second, body)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  expect(answers.find(({ status }) => status === 422)!.body).toMatchObject({
    code: 'plan_limit',
    field: 'amount',
  });
});

test('the advice on a deposit counts its amount among all deployments, and is kept', async () => {
  const mine = await tradedDeployment(app);
  await ask(mine, { kind: 'deposit', amount: 2_000 });
  const { rows } = await records.pool.query(
    `select occasion, inputs -> 'deployments' -> 0 ->> 'investment' as invested from advice_records
     where deployment_id = $1 order by id`,
    [mine.deploymentId],
  );
  expect(rows).toEqual([
    { occasion: 'deploy', invested: '10000' },
    { occasion: 'deposit', invested: '12000' },
  ]);
});

test('a deposit beyond the free cash of the account is refused', async () => {
  const mine = await tradedDeployment(app);
  await reportCash(app, cashOf(12_000));
  expect((await ask(mine, { kind: 'deposit', amount: 9_000 })).body).toMatchObject({
    code: 'insufficient_cash',
    field: 'amount',
  });
  await reportCash(app, cashOf(1_000_000));
});

test('while the broker says nothing a deposit is taken, and waits for the trader to know the cash', async () => {
  await reportCash(app, { outcome: 'failed', code: 'unreachable', reason: 'told to be' });
  const mine = await tradedDeployment(app);
  expect((await ask(mine, { kind: 'deposit', amount: 9_000 })).body).toMatchObject({ status: 'pending' });
  expect((await read(mine)).terms.account_free).toBeNull();
  await reportCash(app, cashOf(1_000_000));
});

test.each([
  ['frozen', 'deposit', 'Trading is frozen'],
  ['stopped', 'withdrawal', 'has been stopped'],
  ['failed', 'withdrawal', 'failed'],
] as const)('in a deployment that is %s a %s is refused in words', async (status, kind, words) => {
  const mine = await tradedDeployment(app);
  await setStatus(records.pool, mine.deploymentId, status);
  const { status: code, body } = await ask(mine, { kind, amount: 100 });
  expect([code, body.code]).toEqual([409, 'illegal_move']);
  expect(body.message).toContain(words);
});

test('one that has not started, or that support is to liquidate, takes and gives nothing', async () => {
  const waiting = await newDeployment(app);
  expect((await ask(waiting, { kind: 'deposit', amount: 100 })).body.message).toContain('not started');
  const mine = await tradedDeployment(app);
  await request({
    method: 'POST',
    url: `/api/deployments/${mine.deploymentId}/liquidate/`,
    token: mine.person.token,
  });
  const terms = (await read(mine)).terms;
  expect([terms.cannot_add, terms.cannot_withdraw]).toEqual([
    expect.stringContaining('liquidate'),
    expect.stringContaining('liquidate'),
  ]);
  expect((await ask(mine, { kind: 'withdrawal', amount: 100 })).status).toBe(409);
});

test('practice money needs no cash of an account, no agreement and no plan', async () => {
  const { person } = await newDeployment(app);
  const { body } = await request({
    method: 'POST',
    url: '/api/practice-deployments/',
    token: person.token,
    body: {
      strategy: await publishedStrategy(app),
      investment_amount: 10_000,
      stop_loss_percentage: 10,
      max_allocation_per_trade: 20,
      freeze_on_drawdown: 25,
    },
  });
  await setStatus(records.pool, body.id, 'active');
  await records.pool.query('delete from agreements where user_id = $1', [person.id]);
  await reportCash(app, cashOf(0));
  const mine = { person, deploymentId: body.id as string };
  expect((await ask(mine, { kind: 'deposit', amount: 50_000 })).status).toBe(201);
  await reportCash(app, cashOf(1_000_000));
});

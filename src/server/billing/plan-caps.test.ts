import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { readyPerson } from '../../../tests/support/test-person.ts';
import { publishedStrategy } from '../../../tests/support/test-strategy.ts';

const app = await testApp();
const { request, records, world } = app;
const strategy = await publishedStrategy(app, { minInvestment: 1_000 });

type Person = Awaited<ReturnType<typeof readyPerson>>;

async function investor(plan?: string): Promise<Person> {
  world.accountId = `DU${randomUUID().slice(0, 7)}`;
  const person = await readyPerson(app);
  if (plan !== undefined) await choose(person, plan);
  return person;
}

const choose = (person: Person, plan: string) =>
  request({
    method: 'POST',
    url: '/api/billing/plan/',
    token: person.token,
    body: { plan, interval: 'monthly' },
  });
const deploy = (person: Person, amount: number) =>
  request({
    method: 'POST',
    url: '/api/deployments/',
    token: person.token,
    body: {
      strategy,
      broker_connection: person.connectionId,
      investment_amount: amount,
      stop_loss_percentage: 10,
      max_allocation_per_trade: 20,
      freeze_on_drawdown: 25,
    },
  });
const count = async (person: Person) =>
  (await request({ url: '/api/deployments/', token: person.token })).body.length;
const steer = (person: Person, id: string, action: string) =>
  request({ method: 'POST', url: `/api/deployments/${id}/${action}/`, token: person.token });
const setStatus = (id: string, status: string) =>
  records.pool.query(
    'update deployments set status = $2, requested_status = null, revision = revision + 1 where id = $1',
    [id, status],
  );

test('one deployment or one dollar too many is refused with the plan, the cap and the way out', async () => {
  const person = await investor('free');
  expect(await deploy(person, 1_001)).toMatchObject({
    status: 422,
    body: {
      code: 'plan_limit',
      field: 'investment_amount',
      message: 'The Free plan allows a total investment of $1,000. Lower the amount or choose a larger plan.',
      details: { plan: 'free', active_deployments: 0, total_investment: 0 },
    },
  });
  expect((await deploy(person, 1_000)).status).toBe(201);
  const second = await deploy(person, 1_000);
  expect(second).toMatchObject({ status: 422, body: { code: 'plan_limit' } });
  expect(second.body.message).toContain('1 active strategy');
  expect(await count(person)).toBe(1);
});

test('somebody who has chosen no plan deploys beyond every cap', async () => {
  const person = await investor();
  expect((await deploy(person, 300_000)).status).toBe(201);
});

test('of many deployments at the same moment exactly as many pass as the plan allows', async () => {
  const person = await investor('basic');
  const answers = await Promise.all(Array.from({ length: 12 }, () => deploy(person, 1_000)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ body }) => body.code === 'plan_limit')).toHaveLength(9);
  expect(await count(person)).toBe(3);
});

test('of many amounts at the same moment the total stays within the plan', async () => {
  const person = await investor('basic');
  const answers = await Promise.all(Array.from({ length: 8 }, () => deploy(person, 20_000)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  const { body } = await request({ url: '/api/billing/', token: person.token });
  expect(body).toMatchObject({ active_deployments: 2, total_investment: 40_000 });
});

test('resuming is held to the caps as deploying is, also from two windows at once', async () => {
  const person = await investor('basic');
  const ids: string[] = [];
  for (let made = 0; made < 5; made++) {
    const { body } = await deploy(person, 2_000);
    ids.push(body.id);
    await setStatus(body.id, 'paused');
  }
  const answers = await Promise.all(ids.map((id) => steer(person, id, 'resume')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(answers.filter(({ body }) => body.code === 'plan_limit')).toHaveLength(2);
});

test('choosing a smaller plan and deploying at the same moment never ends beyond the smaller plan', async () => {
  for (let round = 0; round < 5; round++) {
    const person = await investor('pro');
    await deploy(person, 1_000);
    const [plan, second] = await Promise.all([choose(person, 'free'), deploy(person, 1_000)]);
    expect([plan.status, second.status].sort()).toEqual([201, 422]);
  }
});

test('a smaller plan that what runs does not fit is refused, and says what to do', async () => {
  const person = await investor('pro');
  const made = await deploy(person, 60_000);
  expect(await choose(person, 'basic')).toMatchObject({
    status: 422,
    body: {
      code: 'plan_limit',
      message:
        'You have invested $60,000 and the Basic plan allows $50,000. Stop a strategy first, or choose a larger plan.',
    },
  });
  await setStatus(made.body.id, 'stopped');
  expect((await choose(person, 'basic')).status).toBe(201);
});

test('after a cancelled plan has ended what runs keeps running, and nothing more starts or resumes', async () => {
  const person = await investor('pro');
  const [running, paused] = [(await deploy(person, 2_000)).body.id, (await deploy(person, 2_000)).body.id];
  await setStatus(running, 'active');
  await setStatus(paused, 'paused');
  await records.pool.query(
    `update subscriptions set plan = 'free', period_start = null, period_end = null where user_id = $1`,
    [person.id],
  );
  expect((await steer(person, paused, 'resume')).body.code).toBe('plan_limit');
  expect((await deploy(person, 1_000)).body.code).toBe('plan_limit');
  const { body } = await request({ url: `/api/deployments/${running}/`, token: person.token });
  expect(body.status).toBe('active');
});

import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { PaymentsPort } from '#ports/payments.ts';
import { renewPlans } from '#tests/support/renew-plans.ts';
import { testApp } from '#tests/support/test-app.ts';
import { readyPerson, signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { declineText } from '#rules/reasons/payment-decline.ts';
import { parseInstant } from '#units/instant.ts';

const app = await testApp();

const { request, records, world, dependencies } = app;
const begin = world.now;
afterEach(() => {
  world.now = begin;
});

type Person = Awaited<ReturnType<typeof signedInPerson>>;

const choose = (person: Person, plan: string, interval = 'monthly', key?: string) =>
  request({
    method: 'POST',
    url: '/api/billing/plan/',
    token: person.token,
    body: { plan, interval },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const post = (person: Person, end: string) =>
  request({ method: 'POST', url: `/api/billing/${end}`, token: person.token });
const get = async (person: Person, end = '') =>
  (await request({ url: `/api/billing/${end}`, token: person.token })).body;
/** Tokens live for minutes, so after a month a user signs in again; these read directly from the database. */
const later = async (text: string, what: () => Promise<unknown>) => {
  world.now = parseInstant(text);
  await what();
  world.now = begin;
};

test('all callers can list the plans, with the yearly price a fifth lower', async () => {
  const { status, body } = await request({ url: '/api/plans/' });
  expect(status).toBe(200);
  expect(
    body.map(({ id, price, yearly_price }: Record<string, unknown>) => [id, price, yearly_price]),
  ).toEqual([
    ['free', 0, 0],
    ['basic', 29, 23],
    ['pro', 79, 63],
    ['enterprise', 199, 159],
  ]);
  expect(body.filter(({ isPopular }: { isPopular: boolean }) => isPopular)).toHaveLength(1);
});

test('a user without a plan has no caps while the broker is the sandbox', async () => {
  const person = await signedInPerson(app);
  expect(await get(person)).toEqual({
    subscription: null,
    held_to: null,
    active_deployments: 0,
    total_investment: 0,
    takes_money: false,
  });
});

test('choosing a plan pays once and returns the receipt; the plan shows its renewal date', async () => {
  const person = await signedInPerson(app);
  const { status, body } = await choose(person, 'pro', 'yearly');
  expect(status).toBe(201);
  expect(body.payment).toMatchObject({
    receipt_number: expect.stringMatching(/^R-\d{6}$/),
    kind: 'start',
    plan: 'pro',
    price: 756,
    amount: 756,
    vendor: 'ledger',
  });
  expect(body.billing.subscription).toMatchObject({
    plan: 'pro',
    interval: 'yearly',
    period_end: body.payment.period_end,
    next_payment: 756,
  });
  expect(await get(person, `payments/${body.payment.id}/`)).toEqual(body.payment);
  expect(await get(person, 'payments/')).toEqual([body.payment]);
});

test('a double click pays once', async () => {
  const person = await signedInPerson(app);
  const key = randomUUID();
  const answers = await Promise.all([1, 2, 3, 4].map(() => choose(person, 'basic', 'monthly', key)));
  const made = answers.filter(({ status }) => status === 201);
  expect(made.length).toBeGreaterThan(0);
  expect(new Set(made.map(({ body }) => body.payment.id)).size).toBe(1);
  expect((await choose(person, 'basic', 'monthly', key)).body.payment.id).toBe(made[0]!.body.payment.id);
  expect(await get(person, 'payments/')).toHaveLength(1);
});

test('two requests without a key pay once: the second finds the plan already chosen', async () => {
  const person = await signedInPerson(app);
  const answers = await Promise.all([1, 2, 3].map(() => choose(person, 'basic')));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(await get(person, 'payments/')).toHaveLength(1);
});

test('a stored payment whose answer was lost is found, not charged again', async () => {
  const person = await signedInPerson(app);
  const key = randomUUID();
  const first = await choose(person, 'pro', 'monthly', key);
  await records.pool.query('delete from idempotency_keys where user_id = $1', [person.id]);
  const second = await choose(person, 'pro', 'monthly', key);
  expect(second.status).toBe(201);
  expect(second.body.payment.id).toBe(first.body.payment.id);
  expect(await get(person, 'payments/')).toHaveLength(1);
});

test('a plan change credits the unused days, and the quote shows it first', async () => {
  const person = await signedInPerson(app);
  await choose(person, 'basic');
  const quote = await get(person, 'quote/?plan=pro&interval=monthly');
  expect(quote).toMatchObject({ price: 79, unused: 29, credit_used: 29, amount_due: 50, credit_left: 0 });
  const { body } = await choose(person, 'pro');
  expect(body.payment).toMatchObject({ kind: 'change', price: 79, credit_used: 29, amount: 50 });
  const down = await choose(person, 'basic');
  expect(down.body.payment).toMatchObject({ price: 29, credit_used: 29, amount: 0 });
  expect(down.body.billing.subscription).toMatchObject({ plan: 'basic', credit: 50, next_payment: 0 });
});

test('the free plan costs nothing and creates no receipt', async () => {
  const person = await signedInPerson(app);
  const { status, body } = await choose(person, 'free');
  expect(status).toBe(201);
  expect(body.payment).toBeNull();
  expect(body.billing).toMatchObject({ held_to: 'free', subscription: { plan: 'free', period_end: null } });
});

test('choosing the current plan or an unknown one is refused', async () => {
  const person = await signedInPerson(app);
  await choose(person, 'pro');
  expect(await choose(person, 'pro')).toMatchObject({ status: 409, body: { code: 'already_exists' } });
  expect((await choose(person, 'pro', 'yearly')).status).toBe(201);
  expect(await choose(person, 'gold')).toMatchObject({
    status: 400,
    body: { code: 'invalid_field', field: 'plan', message: 'Choose one of free, basic, pro, enterprise' },
  });
  expect(
    await request({ url: '/api/billing/quote/?plan=pro&interval=yearly', token: person.token }),
  ).toMatchObject({ status: 409 });
});

test('cancelling keeps the plan until its period ends, and can be taken back', async () => {
  const person = await signedInPerson(app);
  expect(await post(person, 'plan/cancel/')).toMatchObject({ status: 409, body: { code: 'illegal_move' } });
  await choose(person, 'pro');
  const cancelled = await post(person, 'plan/cancel/');
  expect(cancelled.body.subscription).toMatchObject({ plan: 'pro', next_payment: null });
  expect(cancelled.body.subscription.cancelled_at).not.toBeNull();
  expect((await post(person, 'plan/keep/')).body.subscription).toMatchObject({
    cancelled_at: null,
    next_payment: 79,
  });
});

test('an ended period renews exactly once; a cancelled plan becomes the free plan', async () => {
  world.now = parseInstant('2027-01-31T08:00:00Z');
  const [kept, cancelled] = [await signedInPerson(app), await signedInPerson(app)];
  await choose(kept, 'pro');
  await choose(cancelled, 'basic');
  await post(cancelled, 'plan/cancel/');
  await later('2027-02-28T08:00:01Z', () =>
    Promise.all([renewPlans(dependencies), renewPlans(dependencies)]),
  );
  world.now = parseInstant('2027-01-31T08:01:00Z');
  expect((await get(kept)).subscription).toMatchObject({
    plan: 'pro',
    period_end: '2027-03-31T08:00:00.000Z',
  });
  const payments = await get(kept, 'payments/');
  expect(payments.map(({ kind, amount }: Record<string, unknown>) => [kind, amount])).toEqual([
    ['renewal', 79],
    ['start', 79],
  ]);
  expect(payments[0].period_start).toBe('2027-02-28T08:00:00.000Z');
  expect(await get(cancelled)).toMatchObject({
    held_to: 'free',
    subscription: { plan: 'free', period_end: null },
  });
  expect(await get(cancelled, 'payments/')).toHaveLength(1);
});

test('a refused payment changes nothing and gives the reason; one without an answer is retried', async () => {
  const person = await signedInPerson(app);
  const answers: Awaited<ReturnType<PaymentsPort['charge']>>[] = [
    { outcome: 'declined', why: 'refused' },
    { outcome: 'unavailable', reason: 'no answer' },
  ];
  const usual = dependencies.payments;
  Object.assign(dependencies, {
    payments: { ...usual, vendor: 'told', takesMoney: true, charge: async () => answers.shift()! },
  });
  expect(await choose(person, 'pro')).toMatchObject({
    status: 422,
    body: { code: 'payment_declined', message: declineText('refused'), details: { why: 'refused' } },
  });
  expect(await choose(person, 'pro')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  Object.assign(dependencies, { payments: usual });
  expect((await get(person)).subscription).toBeNull();
  expect(await get(person, 'payments/')).toEqual([]);
});

test('a user cannot see another user’s payments, and payments cannot be changed', async () => {
  const [one, other] = [await signedInPerson(app), await signedInPerson(app)];
  const { body } = await choose(one, 'pro');
  for (const id of [body.payment.id, randomUUID(), 'new'])
    expect((await request({ url: `/api/billing/payments/${id}/`, token: other.token })).status).toBe(404);
  await expect(
    records.pool.query('update payments set amount_micro = 0 where id = $1', [body.payment.id]),
  ).rejects.toThrow();
  for (const end of ['', 'payments/', 'quote/?plan=pro&interval=monthly'])
    expect((await request({ url: `/api/billing/${end}` })).status).toBe(401);
});

test('when a plan is required, a user without one is held to the free plan', async () => {
  const strict = await testApp({ needsPlan: true });
  const person = await signedInPerson(strict);
  const { body } = await strict.request({ url: '/api/billing/', token: person.token });
  expect(body).toMatchObject({ subscription: null, held_to: 'free' });
});

describe('the caps of a plan', async () => {
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
        message:
          'The Free plan allows a total investment of $1,000. Lower the amount or choose a larger plan.',
        details: { plan: 'free', active_deployments: 0, total_investment: 0 },
      },
    });
    expect((await deploy(person, 1_000)).status).toBe(201);
    const second = await deploy(person, 1_000);
    expect(second).toMatchObject({ status: 422, body: { code: 'plan_limit' } });
    expect(second.body.message).toContain('1 active strategy');
    expect(await count(person)).toBe(1);
  });

  test('a user without a plan can deploy beyond every cap', async () => {
    const person = await investor();
    expect((await deploy(person, 300_000)).status).toBe(201);
  });

  test('of many concurrent deployments, exactly as many succeed as the plan allows', async () => {
    const person = await investor('basic');
    const answers = await Promise.all(Array.from({ length: 12 }, () => deploy(person, 1_000)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ body }) => body.code === 'plan_limit')).toHaveLength(9);
    expect(await count(person)).toBe(3);
  });

  test('with many concurrent deployments, the total amount stays within the plan', async () => {
    const person = await investor('basic');
    const answers = await Promise.all(Array.from({ length: 8 }, () => deploy(person, 20_000)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    const { body } = await request({ url: '/api/billing/', token: person.token });
    expect(body).toMatchObject({ active_deployments: 2, total_investment: 40_000 });
  });

  test('resuming obeys the same caps as deploying, even from two windows at once', async () => {
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

  test('concurrently choosing a smaller plan and deploying never exceeds the smaller plan', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await investor('pro');
      await deploy(person, 1_000);
      const [plan, second] = await Promise.all([choose(person, 'free'), deploy(person, 1_000)]);
      expect([plan.status, second.status].sort()).toEqual([201, 422]);
    }
  });

  test('a plan too small for the running deployments is refused with what to do', async () => {
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

  test('after a cancelled plan ends, running deployments continue, and none can start or resume', async () => {
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
});

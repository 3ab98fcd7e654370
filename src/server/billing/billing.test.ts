import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { signedInPerson } from '../../../tests/support/test-person.ts';
import type { PaymentsPort } from '../../ports/payments.ts';
import { parseInstant } from '../../units/instant.ts';
import { renewPlans } from '../../../tests/support/renew-plans.ts';

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
/** Tokens live for minutes: whoever waits for a month signs in again, so these read as the database has it. */
const later = async (text: string, what: () => Promise<unknown>) => {
  world.now = parseInstant(text);
  await what();
  world.now = begin;
};

test('the plans are told to everybody, with the yearly price a fifth lower', async () => {
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

test('somebody who has chosen no plan is held to none while the broker is the sandbox', async () => {
  const person = await signedInPerson(app);
  expect(await get(person)).toEqual({
    subscription: null,
    held_to: null,
    active_deployments: 0,
    total_investment: 0,
    takes_money: false,
  });
});

test('choosing a plan pays once and answers the receipt; the plan says when it renews', async () => {
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

test('presses without a key pay once too: the second finds the plan chosen', async () => {
  const person = await signedInPerson(app);
  const answers = await Promise.all([1, 2, 3].map(() => choose(person, 'basic')));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(await get(person, 'payments/')).toHaveLength(1);
});

test('a payment whose answer was lost after it was kept is found again, not taken again', async () => {
  const person = await signedInPerson(app);
  const key = randomUUID();
  const first = await choose(person, 'pro', 'monthly', key);
  await records.pool.query('delete from idempotency_keys where user_id = $1', [person.id]);
  const second = await choose(person, 'pro', 'monthly', key);
  expect(second.status).toBe(201);
  expect(second.body.payment.id).toBe(first.body.payment.id);
  expect(await get(person, 'payments/')).toHaveLength(1);
});

test('a change takes the unused days off, and the quote says so before', async () => {
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

test('the free plan costs nothing and makes no receipt', async () => {
  const person = await signedInPerson(app);
  const { status, body } = await choose(person, 'free');
  expect(status).toBe(201);
  expect(body.payment).toBeNull();
  expect(body.billing).toMatchObject({ held_to: 'free', subscription: { plan: 'free', period_end: null } });
});

test('a plan that one is on already is refused, and so is an unknown one', async () => {
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

test('a period that ended renews once, whoever looks; a cancelled one ends in the free plan', async () => {
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

test('a refused payment changes nothing and says why; one without an answer is tried again', async () => {
  const person = await signedInPerson(app);
  const answers: Awaited<ReturnType<PaymentsPort['charge']>>[] = [
    { outcome: 'declined', reason: 'The card was refused by its bank. Use another one.' },
    { outcome: 'unavailable', reason: 'no answer' },
  ];
  const usual = dependencies.payments;
  Object.assign(dependencies, {
    payments: { vendor: 'told', takesMoney: true, charge: async () => answers.shift()! },
  });
  expect(await choose(person, 'pro')).toMatchObject({
    status: 422,
    body: { code: 'payment_declined', message: 'The card was refused by its bank. Use another one.' },
  });
  expect(await choose(person, 'pro')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  Object.assign(dependencies, { payments: usual });
  expect((await get(person)).subscription).toBeNull();
  expect(await get(person, 'payments/')).toEqual([]);
});

test('nobody sees the payment of somebody else, and payments cannot be changed', async () => {
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

test('where a plan is needed, somebody without one is held to the free one', async () => {
  const strict = await testApp({ needsPlan: true });
  const person = await signedInPerson(strict);
  const { body } = await strict.request({ url: '/api/billing/', token: person.token });
  expect(body).toMatchObject({ subscription: null, held_to: 'free' });
});

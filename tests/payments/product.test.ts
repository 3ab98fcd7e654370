// The product with Stripe behind its port, over HTTP both ways: what a client asks for, what the vendor takes, and what its
// notices change.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { addCard } from '#sandbox/stripe/books.ts';
import { collectFees } from '#server/fees/collect-fees.ts';
import { reviewPayments } from '#server/payments/review-payments.ts';
import { PAYMENT_NOTICE_PATH } from '#server/payments/serve-payment-notices.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { renewPlans } from '#tests/support/renew-plans.ts';
import { shownNotices } from '#tests/support/shown-notices.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { agree, decide, propose } from '#tests/support/two-people.ts';
import { unpaidFee } from '#tests/support/unpaid-fee.ts';
import { DAY_MS, HOUR_MS, instant } from '#units/instant.ts';
import { numberOf, stripeDesk } from './stripe-desk.ts';

const app = await stripeDesk();
const { request, records, dependencies, world, books, notices, faults, begin } = app;
const { post, save, choose, billingOf, paymentsOf, payer, customerOf, takenOf } = app;
const ofVendor = (page: string) => fetch(page, { method: 'POST' });

describe('a plan', () => {
  test('needs a card, which is saved on a page of the vendor and pays nothing by itself', async () => {
    const person = await signedInPerson(app);
    expect(await choose(person, 'pro')).toMatchObject({
      status: 422,
      body: { code: 'payment_declined', details: { why: 'no_means' } },
    });
    await save(person);
    expect((await billingOf(person)).subscription).toBeNull();
    expect((await choose(person, 'pro')).body).toMatchObject({
      payment: { amount: 79, vendor: 'stripe' },
      payment_page: null,
      billing: { subscription: { plan: 'pro' }, takes_money: true },
    });
    expect(await takenOf(person.id)).toBe(7_900);
  });

  test('is paid once by two clicks, with one key or without any', async () => {
    const person = await payer();
    const key = randomUUID();
    await Promise.all([choose(person, 'basic', key), choose(person, 'basic', key), choose(person, 'basic')]);
    await choose(person, 'basic', key);
    expect(await paymentsOf(person)).toHaveLength(1);
    expect(await takenOf(person.id)).toBe(2_900);
  });

  test('that the vendor took without an answer is booked by its notice, and the client is never charged again', async () => {
    const person = await payer();
    faults.lost = { path: /(pay|\/v1\/invoices\/in_\w+)$/, times: 4 };
    const key = randomUUID();
    expect((await choose(person, 'pro', key)).status).toBe(503);
    expect((await billingOf(person)).subscription).toBeNull();
    faults.lost = null;
    await notices.deliver();
    expect((await billingOf(person)).subscription).toMatchObject({ plan: 'pro' });
    expect((await choose(person, 'pro', key)).body.payment).toMatchObject({ amount: 79 });
    expect(await takenOf(person.id)).toBe(7_900);
  });

  test('that the vendor took without an answer is booked by the look of a minute where no notice comes', async () => {
    const person = await payer();
    faults.lost = { path: /(pay|\/v1\/invoices\/in_\w+)$/, times: 4 };
    await choose(person, 'pro');
    faults.lost = null;
    await reviewPayments(dependencies);
    // The request might still be at it.
    expect((await billingOf(person)).subscription).toBeNull();
    world.now = instant(begin + 6 * 60_000);
    await reviewPayments(dependencies);
    expect((await paymentsOf(person)).map(({ amount }: { amount: number }) => amount)).toEqual([79]);
    expect(await takenOf(person.id)).toBe(7_900);
  });

  test('is booked once by notices that come twice, before our answer and in the wrong order', async () => {
    const person = await payer();
    const answer = choose(person, 'pro');
    for (let look = 0; look < 400 && !notices.waiting.some((one) => one.includes('invoice.paid')); look++)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await notices.deliver();
    const { body } = await answer;
    const before = [...notices.waiting];
    await notices.deliver({ backwards: true });
    for (const event of before) await sendAgain(event);
    expect(body.payment).toMatchObject({ amount: 79 });
    expect(await paymentsOf(person)).toHaveLength(1);
  });

  test('that the bank wants confirmed changes nothing until the vendor says that it is paid', async () => {
    const person = await payer('authentication_required');
    const { body } = await choose(person, 'pro');
    expect(body).toMatchObject({ payment: null, payment_page: expect.stringContaining('/pages/invoice/') });
    // Coming back proves nothing.
    expect((await billingOf(person)).subscription).toBeNull();
    await reviewPayments(dependencies);
    expect((await billingOf(person)).subscription).toBeNull();
    await ofVendor(body.payment_page);
    await notices.deliver();
    expect((await billingOf(person)).subscription).toMatchObject({ plan: 'pro' });
  });

  test('that waits for its payer gives way to another choice, and cannot be paid any more', async () => {
    const person = await payer('authentication_required');
    const first = await choose(person, 'enterprise');
    const second = await choose(person, 'basic');
    expect(second.status).toBe(201);
    await ofVendor(first.body.payment_page);
    await ofVendor(second.body.payment_page);
    await notices.deliver();
    expect(await takenOf(person.id)).toBe(2_900);
    expect((await billingOf(person)).subscription).toMatchObject({ plan: 'basic' });
  });

  test('that nobody confirms is given up after an hour', async () => {
    const person = await payer('authentication_required');
    const { body } = await choose(person, 'pro');
    world.now = instant(begin + 2 * HOUR_MS);
    await reviewPayments(dependencies);
    await ofVendor(body.payment_page);
    expect(await takenOf(person.id)).toBe(0);
  });

  test.each([
    ['declined', 'refused'],
    ['insufficient_funds', 'insufficient_funds'],
    ['expired_card', 'expired'],
  ] as const)('is not changed by a card that is %s', async (card, why) => {
    const person = await payer(card);
    expect(await choose(person, 'pro')).toMatchObject({ status: 422, body: { details: { why } } });
    expect((await billingOf(person)).subscription).toBeNull();
    await save(person);
    expect((await choose(person, 'pro')).status).toBe(201);
  });

  test('renews by our calendar with the saved card, once, and ends where that is refused', async () => {
    const [kept, lost] = [await payer(), await payer()];
    await choose(kept, 'pro');
    await choose(lost, 'pro');
    addCard(books, await customerOf(lost.id), numberOf('declined'));
    world.now = instant(begin + 32 * DAY_MS);
    await renewPlans(dependencies);
    await renewPlans(dependencies);
    world.now = begin;
    expect(await takenOf(kept.id)).toBe(15_800);
    expect((await paymentsOf(kept)).map(({ kind }: { kind: string }) => kind)).toEqual(['renewal', 'start']);
    expect((await billingOf(lost)).subscription).toMatchObject({
      plan: 'free',
      renewal_failure: expect.stringContaining('Your bank refused the payment'),
    });
  });
});

async function sendAgain(event: string) {
  const { body, signature } = notices.sign(event);
  return request({
    method: 'POST',
    url: PAYMENT_NOTICE_PATH,
    payload: body,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  });
}

test('a notice without a valid signature is refused, and books nothing', async () => {
  const person = await payer('authentication_required');
  const { body } = await choose(person, 'pro');
  await ofVendor(body.payment_page);
  const event = notices.waiting.findLast((one) => one.includes('invoice.paid'))!;
  const send = (headers: Record<string, string>) =>
    request({
      method: 'POST',
      url: PAYMENT_NOTICE_PATH,
      payload: event,
      headers: { 'content-type': 'application/json', ...headers },
    });
  expect((await send({})).status).toBe(403);
  expect((await send({ 'stripe-signature': 't=1,v1=00' })).status).toBe(403);
  expect(
    (await send({ 'stripe-signature': notices.sign(event, Date.now() - 600_000).signature })).status,
  ).toBe(403);
  expect((await billingOf(person)).subscription).toBeNull();
  faults.down = true;
  expect((await sendAgain(event)).status).toBe(503);
  faults.down = false;
  expect((await sendAgain(event)).status).toBe(200);
  expect((await billingOf(person)).subscription).toMatchObject({ plan: 'pro' });
});

test('a fee bill is charged when it falls due; a refused card leaves it to its owner, who pays with another', async () => {
  const { person, deploymentId } = await newDeployment(app);
  await save(person, 'insufficient_funds');
  const bill = await unpaidFee(records, deploymentId, { daysAgo: 0 });
  await records.pool.query(
    `insert into heartbeats (process, beat_at, market_at, details) values ('trader', now(), now() + interval '1 hour', '{}')
     on conflict (process) do update set market_at = excluded.market_at`,
  );
  await request({
    method: 'PATCH',
    url: '/api/fees/payment/',
    token: person.token,
    body: { automatic: true },
  });
  await collectFees(dependencies);
  await collectFees(dependencies);
  const notes = await shownNotices(records, 'deployment_id = $1', deploymentId);
  expect(notes.filter(({ kind }) => kind === 'fee_declined')).toHaveLength(1);
  await save(person);
  const pay = () => post(person, `/api/fees/bills/${bill}/pay/`);
  await Promise.all([pay(), pay()]);
  expect((await pay()).body).toMatchObject({ state: 'paid', paid: 300, payment_page: null });
  expect(await takenOf(person.id)).toBe(30_000);
});

describe('a refund', async () => {
  const [sue, bob] = [await signedInPerson(app), await signedInPerson(app)];
  await giveRole(records, sue, 'support');
  await giveRole(records, bob, 'support');
  const paid = async () => {
    const person = await payer();
    const { body } = await choose(person, 'pro');
    return { person, id: body.payment.id as string };
  };
  const because = 'it was charged for a period that you had cancelled';
  const asking = (id: string, amount: number) => ({ action: 'refund', subject: id, amount, reason: because });

  test('takes two people, is made once, and its client reads why', async () => {
    const { person, id } = await paid();
    const proposed = await propose(app, sue, asking(id, 30));
    expect(proposed.status, proposed.text).toBe(201);
    expect((await decide(app, sue, { id: proposed.body.id })).status).toBe(403);
    await reviewPayments(dependencies);
    expect(books.refunds.filter(({ metadata }) => metadata.refund === proposed.body.id)).toEqual([]);
    expect((await decide(app, bob, { id: proposed.body.id })).status).toBe(200);
    // The vendor takes it and does not answer.
    faults.lost = { path: /refunds$/, times: 2 };
    await reviewPayments(dependencies);
    faults.lost = null;
    await Promise.all([reviewPayments(dependencies), reviewPayments(dependencies)]);
    await notices.deliver();
    expect(books.refunds.filter(({ metadata }) => metadata.refund === proposed.body.id)).toHaveLength(1);
    expect((await paymentsOf(person))[0]).toMatchObject({ refunded: 30, refund_reason: because });
    const notes = await shownNotices(records, 'user_id = $1', person.id);
    expect(notes.filter(({ kind }) => kind === 'payment_refunded')).toHaveLength(1);
  });

  test('never gives back more than was paid, in several either', async () => {
    const { id } = await paid();
    expect((await propose(app, sue, asking(id, 80))).body).toMatchObject({
      code: 'out_of_range',
      field: 'amount',
      message: 'At most $79 can still be given back of this payment.',
    });
    expect((await agree(app, [sue, bob], asking(id, 50))).status).toBe(200);
    expect((await propose(app, sue, asking(id, 30))).status).toBe(422);
    expect((await propose(app, sue, asking(randomUUID(), 1))).status).toBe(404);
  });

  test('is found at the desk by the e-mail of the client, and shown while it is proposed', async () => {
    const { person, id } = await paid();
    const url = `/api/operations/payments/?client=${encodeURIComponent(person.email.toUpperCase())}`;
    expect((await request({ url, token: sue.token })).body).toMatchObject([{ id, paid: 79, refunded: 0 }]);
    expect((await request({ url, token: person.token })).status).toBe(404);
    await propose(app, sue, asking(id, 79));
    const { body } = await request({ url: '/api/operations/', token: bob.token });
    expect(body.refunds.results.map((one: { id: string }) => one.id)).toContain(id);
  });
});

test('whoever closes their account is erased at the vendor, also when it is down at first', async () => {
  const person = await payer();
  const other = await payer();
  const [customer, stays] = [await customerOf(person.id), await customerOf(other.id)];
  expect(await post(person, '/api/account/close/', { email: person.email })).toMatchObject({ status: 200 });
  faults.down = true;
  await reviewPayments(dependencies);
  expect(books.customers.has(customer)).toBe(true);
  expect(await customerOf(person.id)).toBe(customer);
  faults.down = false;
  await reviewPayments(dependencies);
  expect([books.customers.has(customer), books.customers.has(stays)]).toEqual([false, true]);
  const left = await records.pool.query('select from payers where user_id = $1', [person.id]);
  expect(left.rowCount).toBe(0);
  // A crash between the vendor's deletion and ours.
  await records.pool.query(`insert into payers (user_id, vendor, customer) values ($1, 'stripe', $2)`, [
    person.id,
    customer,
  ]);
  await reviewPayments(dependencies);
  expect((await records.pool.query('select from payers where user_id = $1', [person.id])).rowCount).toBe(0);
});

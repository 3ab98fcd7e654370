// The product with Stripe's stand-in behind its port, over HTTP both ways, and what a payer and the vendor do there.
import Fastify from 'fastify';
import { afterAll, afterEach } from 'vitest';
import { stripePayments } from '#adapters/payments/stripe/stripe.ts';
import { payerStore } from '#records/payments/payers.ts';
import { CARDS, type CardNumber } from '#sandbox/stripe/books.ts';
import { mountPaymentStandIn } from '#sandbox/stripe/stand-in.ts';
import { PAYMENT_NOTICE_PATH } from '#server/payments/serve-payment-notices.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { SECRETS } from './payment-stage.ts';

export type Person = Awaited<ReturnType<typeof signedInPerson>>;
export type Behaviour = (typeof CARDS)[CardNumber];

export const numberOf = (behaviour: Behaviour) =>
  (Object.keys(CARDS) as CardNumber[]).find((number) => CARDS[number] === behaviour)!;

/** After each test its faults are over and its clock is where it began. */
export async function stripeDesk() {
  const vendor = Fastify();
  const standIn = mountPaymentStandIn(vendor, { nowMs: Date.now, ...SECRETS });
  const standInUrl = await vendor.listen({ host: '127.0.0.1', port: 0 });
  const app = await testApp({}, undefined, {
    payments: ({ database }) =>
      stripePayments(
        { secretKey: SECRETS.secretKey, webhookSecrets: [SECRETS.webhookSecret], standInUrl },
        payerStore(database, 'stripe'),
      ),
  });
  const { request, records, world } = app;
  const { books, notices, faults } = standIn;
  notices.sendTo(`${await app.app.listen({ host: '127.0.0.1', port: 0 })}${PAYMENT_NOTICE_PATH}`);
  afterAll(() => vendor.close());
  const begin = world.now;
  afterEach(() => {
    Object.assign(faults, { down: false, lost: null, broken: null });
    world.now = begin;
  });
  const post = (person: Pick<Person, 'token'>, url: string, body?: object, key?: string) =>
    request({
      method: 'POST',
      url,
      token: person.token,
      ...(body && { body }),
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });
  const read = async (person: Pick<Person, 'token'>, url: string) =>
    (await request({ url, token: person.token })).body;
  /** Saves a card on the page of the vendor, as a browser would. */
  const save = async (person: Pick<Person, 'token'>, card: Behaviour = 'pays') => {
    const { body } = await post(person, '/api/billing/payment-page/', { return_to: '/billing?plan=pro' });
    await fetch(body.url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `number=${numberOf(card)}`,
    });
  };
  const customerOf = async (id: string) =>
    (await records.pool.query<{ customer: string }>('select customer from payers where user_id = $1', [id]))
      .rows[0]!.customer;
  return {
    ...app,
    standIn,
    books,
    notices,
    faults,
    begin,
    post,
    save,
    customerOf,
    choose: (person: Person, plan: string, key?: string) =>
      post(person, '/api/billing/plan/', { plan, interval: 'monthly' }, key),
    billingOf: (person: Person) => read(person, '/api/billing/'),
    paymentsOf: (person: Person) => read(person, '/api/billing/payments/'),
    async payer(card: Behaviour = 'pays') {
      const person = await signedInPerson(app);
      await save(person, card);
      return person;
    },
    /** Cents that the vendor took of a person. */
    async takenOf(id: string): Promise<number> {
      const customer = await customerOf(id);
      const own = new Set(
        [...books.invoices.values()].filter((one) => one.customer === customer).map((one) => one.id),
      );
      return books.payments
        .filter(({ invoice }) => own.has(invoice))
        .reduce((sum, { amount }) => sum + amount, 0);
    },
  };
}

// Payments that a bank takes back, at the stand-in of the payment service: a dispute as staff see it, and what a lost one changes of
// a fee bill and of a plan.
import { describe, expect, test } from 'vitest';
import { beat } from '#records/operations/heartbeats.ts';
import { readTradingGates } from '#records/deployments/trading-gates.ts';
import { FEE_INVARIANTS } from '#records/invariants/fee-invariants.ts';
import { listRecordedTrouble } from '#records/incidents/recorded-trouble.ts';
import { readOwnChargebacks } from '#tests/support/chargebacks.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { collectFees } from '#server/fees/collect-fees.ts';
import { reviewPayments } from '#server/payments/review-payments.ts';
import { settleDispute } from '#server/payments/settle-dispute.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { renewPlans } from '#tests/support/renew-plans.ts';
import { shownNotices } from '#tests/support/shown-notices.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { propose } from '#tests/support/two-people.ts';
import { unpaidFee } from '#tests/support/unpaid-fee.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { DAY_MS, HOUR_MS, type Instant, instant, parseInstant } from '#units/instant.ts';
import { wallInstantOf } from '#units/wall-instant.ts';
import { type Person, stripeDesk } from './stripe-desk.ts';

const app = await stripeDesk();
const { request, records, dependencies, standIn, books, notices, faults, world, begin } = app;
const { post, save, choose, billingOf, paymentsOf, payer, takenOf } = app;
const START = parseInstant('2026-05-04T12:00:00Z');
const days = (count: number): Instant => instant(START + count * DAY_MS);
const moveTo = (marketAt: Instant) =>
  beat(records.database, {
    process: 'trader',
    beatAt: wallInstantOf(instant(Date.now())),
    marketAt,
    details: {},
  });

/** What the records say that must not be. */
async function violations() {
  const found: unknown[] = [];
  for (const { says, find } of FEE_INVARIANTS) {
    // The bills of these tests are written without their deployments' books.
    if (!/paid|dispute|fee payment/i.test(says)) continue;
    for (const violation of await find(records.database)) found.push({ says, violation });
  }
  return found;
}

/** A bill of 300 dollars that its owner paid, and how to dispute it. */
async function paidFee({ automatic = false } = {}) {
  await moveTo(START);
  const { person, deploymentId } = await newDeployment(app);
  await save(person);
  const bill = await unpaidFee(records, deploymentId, { daysAgo: 0 });
  await request({ method: 'PATCH', url: '/api/fees/payment/', token: person.token, body: { automatic } });
  const pay = () => post(person, `/api/fees/bills/${bill}/pay/`);
  expect((await pay()).body).toMatchObject({ state: 'paid', paid: 300, owed: 0 });
  const shown = async () => (await request({ url: `/api/fees/bills/${bill}/`, token: person.token })).body;
  const noticesOf = async (kind: string) =>
    (await shownNotices(records, `deployment_id = $1 and kind = '${kind}'`, deploymentId)).length;
  const invoices = () =>
    [...books.invoices.values()].filter((one) => one.status === 'paid' && isOf(one.metadata.reference));
  const charges = async () =>
    new Set(
      (
        await records.pool.query<{ id: string }>('select id from charges where bill_id = $1', [bill])
      ).rows.map(({ id }) => id),
    );
  let known = await charges();
  const isOf = (reference: string | undefined) => known.has(reference ?? '');
  const dispute = async (cents?: number) => {
    known = await charges();
    const id = standIn.dispute(invoices().at(-1)!.id, cents);
    await notices.deliver();
    return id;
  };
  const decide = async (id: string, status: 'won' | 'lost') => {
    standIn.decideDispute(id, status);
    return notices.deliver();
  };
  return { person, deploymentId, bill, pay, shown, noticesOf, dispute, decide };
}

const feesPaid = async (deploymentId: string) =>
  (await readTradingGates(records.database, deploymentId as DeploymentId, AGREEMENT_VERSION)).feesPaid;
const troubleOf = async (id: string) =>
  (await listRecordedTrouble(records.database)).filter(({ subject }) => subject === id);

test('a dispute that is opened changes nothing that is paid, and staff read until when to answer it', async () => {
  const { dispute, shown } = await paidFee();
  const id = await dispute();
  expect(await shown()).toMatchObject({ state: 'paid', paid: 300 });
  const dueBy = new Date(books.disputes.get(id)!.dueBy * 1_000).toISOString();
  expect(await troubleOf(id)).toMatchObject([
    { kind: 'payment_disputed', facts: { dollars: 300, because: 'fraudulent', until: dueBy } },
  ]);
});

describe('a fee whose payment a bank took back', () => {
  test('is unpaid again: due anew, reminded of, closed to new exposure, and paid again once', async () => {
    const { person, deploymentId, bill, pay, shown, noticesOf, dispute, decide } = await paidFee({
      automatic: true,
    });
    const id = await dispute();
    await decide(id, 'lost');
    const isoOf = (day: number) => new Date(days(day)).toISOString();
    expect(await shown()).toMatchObject({
      state: 'due',
      owed: 300,
      paid: 0,
      paid_at: null,
      charged_back: 300,
      due_at: isoOf(5),
      unpaid_stage: null,
    });
    expect(await noticesOf('payment_taken_back')).toBe(1);
    expect(await troubleOf(id)).toMatchObject([
      { kind: 'payment_taken_back', facts: { dollars: 300, purpose: 'fee' } },
    ]);
    const payment = await request({ url: '/api/fees/payment/', token: person.token });
    expect(payment.body.automatic).toBe(false);
    const seen: [number, boolean, number][] = [];
    for (const day of [4, 5, 12, 18, 19, 35]) {
      await moveTo(days(day));
      await collectFees(dependencies);
      await collectFees(dependencies);
      seen.push([day, await feesPaid(deploymentId), await noticesOf('fee_unpaid')]);
    }
    expect(seen).toEqual([
      [4, true, 0],
      [5, true, 1],
      [12, true, 2],
      [18, true, 2],
      [19, false, 3],
      [35, false, 4],
    ]);
    const csv = await request({ url: `/api/fees/bills/${bill}/csv/`, token: person.token });
    expect(csv.text).toContain('charged_back');
    await Promise.all([pay(), pay()]);
    expect((await pay()).body).toMatchObject({ state: 'paid', paid: 300, owed: 0, charged_back: 300 });
    expect(await feesPaid(deploymentId)).toBe(true);
    // Both payments, of which the bank took one back.
    expect(await takenOf(person.id)).toBe(60_000);
    await collectFees(dependencies);
    expect(await takenOf(person.id)).toBe(60_000);
    expect(await troubleOf(id)).toEqual([]);
    expect(await violations()).toEqual([]);
  });

  test('is booked once, however often and in whatever order its notices come', async () => {
    const { bill, shown, noticesOf, dispute } = await paidFee();
    const id = await dispute();
    standIn.decideDispute(id, 'lost');
    const events = [...notices.waiting];
    await Promise.all([notices.deliver({ backwards: true }), reviewPayments(dependencies)]);
    notices.waiting.push(...events, ...events);
    await notices.deliver();
    await Promise.all([settleDispute(id, dependencies), settleDispute(id, dependencies)]);
    expect(await readOwnChargebacks(records, bill)).toEqual([300]);
    expect(await shown()).toMatchObject({ owed: 300, charged_back: 300 });
    expect(await noticesOf('payment_taken_back')).toBe(1);
    expect(await violations()).toEqual([]);
  });

  test('is learnt of without any notice, and while the payment service is down nothing is booked', async () => {
    const { bill, shown, dispute } = await paidFee();
    const id = await dispute();
    standIn.decideDispute(id, 'lost');
    notices.waiting.splice(0);
    faults.down = true;
    await reviewPayments(dependencies);
    expect(await shown()).toMatchObject({ state: 'paid' });
    faults.down = false;
    await reviewPayments(dependencies);
    expect(await readOwnChargebacks(records, bill)).toEqual([300]);
  });

  test('counts again where the bank decides otherwise after all', async () => {
    const { bill, shown, noticesOf, dispute, decide } = await paidFee();
    const id = await dispute();
    await decide(id, 'lost');
    await decide(id, 'won');
    await decide(id, 'won');
    expect(await shown()).toMatchObject({ state: 'paid', paid: 300, owed: 0, charged_back: 0 });
    expect(await readOwnChargebacks(records, bill)).toEqual([300, -300]);
    expect(await noticesOf('payment_counts_again')).toBe(1);
    expect(await troubleOf(id)).toEqual([]);
    expect(await violations()).toEqual([]);
  });

  test('is never paid twice: what was paid again goes back when the first payment counts again', async () => {
    const { person, shown, pay, dispute, decide } = await paidFee();
    const id = await dispute();
    await decide(id, 'lost');
    expect((await pay()).body).toMatchObject({ state: 'paid' });
    await decide(id, 'won');
    expect(await violations()).toEqual([]);
    await reviewPayments(dependencies);
    expect(books.refunds.filter(({ amount }) => amount === 30_000)).toHaveLength(1);
    expect(await shown()).toMatchObject({ state: 'paid', owed: 0, refunded: 300 });
    const notes = await shownNotices(records, `user_id = $1 and kind = 'payment_refunded'`, person.id);
    expect(notes).toHaveLength(1);
    expect((await pay()).body).toMatchObject({ state: 'paid' });
    expect(await violations()).toEqual([]);
  });

  test('is not asked for any more where its payer still had to confirm it', async () => {
    const { person, shown, pay, dispute, decide } = await paidFee();
    const id = await dispute();
    await decide(id, 'lost');
    await save(person, 'authentication_required');
    const { body } = await pay();
    expect(body.payment_page).toContain('/pages/invoice/');
    await decide(id, 'won');
    await fetch(body.payment_page, { method: 'POST' });
    await notices.deliver();
    await reviewPayments(dependencies);
    expect(await shown()).toMatchObject({ state: 'paid', owed: 0, refunded: 0 });
    expect(await takenOf(person.id)).toBe(30_000);
  });

  test('is owed as far as it was taken back, and again each time', async () => {
    const { bill, shown, pay, dispute, decide } = await paidFee();
    await decide(await dispute(10_000), 'lost');
    expect(await shown()).toMatchObject({ owed: 100, paid: 200, state: 'due' });
    expect((await pay()).body).toMatchObject({ state: 'paid', paid: 300 });
    await decide(await dispute(), 'lost');
    expect(await shown()).toMatchObject({ owed: 100, paid: 200, charged_back: 200 });
    expect((await pay()).body).toMatchObject({ state: 'paid', paid: 300 });
    expect(await readOwnChargebacks(records, bill)).toEqual([100, 100]);
    expect(await violations()).toEqual([]);
  });

  test('is not refunded as well', async () => {
    const { bill, dispute, decide } = await paidFee();
    await decide(await dispute(20_000), 'lost');
    const sue = await signedInPerson(app);
    await giveRole(records, sue, 'support');
    const asked = { action: 'refund', subject: bill, amount: 101, reason: 'you asked us for it' };
    expect((await propose(app, sue, asked)).body).toMatchObject({
      message: 'At most $100 can still be given back of this payment.',
    });
  });
});

test('a fee that support refunds stays paid: what we give is not asked for again', async () => {
  const { bill, shown, pay } = await paidFee();
  await records.pool.query(
    `insert into refunds (id, charge_id, amount_micro, because, agreed_at) values (gen_random_uuid(), $1, 300000000, 'b', now())`,
    [bill],
  );
  expect(await shown()).toMatchObject({ state: 'paid', owed: 0, refunded: 300 });
  expect((await pay()).body).toMatchObject({ state: 'paid' });
  expect(await violations()).toEqual([]);
});

describe('a plan whose payment a bank took back', () => {
  /** Disputes the newest invoice of the person, and lets the bank decide. */
  const lose = async (person: Person, status: 'won' | 'lost' = 'lost') => {
    const customer = await app.customerOf(person.id);
    const newest = [...books.invoices.values()].findLast(
      (one) => one.customer === customer && one.status === 'paid',
    );
    const id = standIn.dispute(newest!.id);
    standIn.decideDispute(id, status);
    await notices.deliver({ backwards: true });
    return id;
  };
  const kinds = async (person: Person) =>
    (await shownNotices(records, 'user_id = $1', person.id)).map(({ kind }) => kind).toSorted();

  test('ends at once, and can be chosen again', async () => {
    const person = await payer();
    await choose(person, 'pro');
    await lose(person);
    expect(await billingOf(person)).toMatchObject({
      held_to: 'free',
      subscription: {
        plan: 'free',
        credit: 0,
        renewal_failure: 'Your bank took back the payment of your plan.',
      },
    });
    expect((await paymentsOf(person))[0]).toMatchObject({ amount: 79, charged_back: 79 });
    expect(await kinds(person)).toEqual(['payment_taken_back']);
    expect((await choose(person, 'basic')).body).toMatchObject({ payment: { amount: 29 } });
    expect(await violations()).toEqual([]);
  });

  test('ends with the credit that came from it, also where the plan was changed since', async () => {
    const person = await payer();
    await choose(person, 'pro');
    await choose(person, 'basic');
    expect((await billingOf(person)).subscription).toMatchObject({ plan: 'basic', credit: 50 });
    await lose(person);
    expect((await billingOf(person)).subscription).toMatchObject({ plan: 'free', credit: 0 });
  });

  test('gives credit where the bank decides otherwise after all, once', async () => {
    const person = await payer();
    await choose(person, 'pro');
    const id = await lose(person);
    standIn.decideDispute(id, 'won');
    await notices.deliver();
    await settleDispute(id, dependencies);
    expect((await billingOf(person)).subscription).toMatchObject({ plan: 'free', credit: 79 });
    expect(await kinds(person)).toEqual(['payment_counts_again', 'payment_taken_back']);
    expect((await choose(person, 'pro')).body.payment).toMatchObject({ credit_used: 79, amount: 0 });
  });

  test('keeps a plan that was renewed since: the period that was taken back is over', async () => {
    const person = await payer();
    await choose(person, 'pro');
    const first = books.payments.at(-1)!.invoice;
    world.now = instant(begin + 32 * DAY_MS);
    await renewPlans(dependencies);
    const id = standIn.dispute(first);
    standIn.decideDispute(id, 'lost');
    await settleDispute(id, dependencies);
    notices.waiting.splice(0);
    world.now = begin;
    expect((await billingOf(person)).subscription).toMatchObject({ plan: 'pro' });
  });

  test('is not brought back by a payment that was quoted with its credit', async () => {
    const person = await payer();
    await choose(person, 'basic');
    await save(person, 'authentication_required');
    const { body } = await choose(person, 'pro');
    expect(body.payment_page).toContain('/pages/invoice/');
    await lose(person);
    await fetch(body.payment_page, { method: 'POST' });
    world.now = instant(begin + 2 * HOUR_MS);
    await reviewPayments(dependencies);
    world.now = begin;
    expect((await billingOf(person)).subscription).toMatchObject({ plan: 'free', credit: 0 });
    expect(await takenOf(person.id)).toBe(2_900);
  });

  test('whose payment we had not learnt of is booked as paid first', async () => {
    const person = await payer();
    faults.lost = { path: /(pay|\/v1\/invoices\/in_\w+)$/, times: 4 };
    await choose(person, 'pro');
    faults.lost = null;
    notices.waiting.splice(0);
    await lose(person);
    expect((await paymentsOf(person))[0]).toMatchObject({ amount: 79, charged_back: 79 });
    expect((await billingOf(person)).subscription).toMatchObject({ plan: 'free' });
  });
});

test('a dispute of a payment that is none of ours is shown, and books nothing', async () => {
  const stray = { id: 'inpay_stray', intent: 'pi_stray', invoice: 'in_stray', amount: 500 };
  books.payments.push(stray);
  const id = standIn.dispute('in_stray');
  books.payments.splice(books.payments.indexOf(stray), 1);
  standIn.decideDispute(id, 'lost');
  await notices.deliver();
  expect(await troubleOf(id)).toMatchObject([{ kind: 'payment_taken_back', facts: { purpose: null } }]);
  expect(await violations()).toEqual([]);
});

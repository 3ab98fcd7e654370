// What can go wrong between us and the vendor of payments: lost answers, crashes, refusing cards, notices that are late, doubled,
// forged or overtaken.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { CARDS, type CardNumber } from '#sandbox/stripe/books.ts';
import { toMicro } from '#units/money.ts';
import { chargeOf } from './payment-cases.ts';
import { paymentStage } from './payment-stage.ts';

const app = Fastify();
const stage = await paymentStage(app);
const { payments, payer, invoices, desk, standIn } = stage;
const { faults, notices, books } = standIn;
afterAll(() => app.close());
afterEach(() => {
  Object.assign(faults, { down: false, lost: null, broken: null });
});
const cardOf = (behaviour: (typeof CARDS)[CardNumber]) =>
  (Object.keys(CARDS) as CardNumber[]).find((number) => CARDS[number] === behaviour)!;
const states = (reference: string) => invoices(reference).map(({ status }) => status);
const { notices: taker } = payments;
if (taker === null) throw new Error('the vendor sends notices');

describe.each([
  ['the invoice', /invoices$/],
  ['its line', /invoiceitems/],
  ['its finalisation', /finalize/],
  ['the payment', /pay$/],
])('the answer about %s is lost, and lost again when the client repeats it', (_what, path) => {
  test('then the charge is paid once when it is asked for again', async () => {
    const charge = chargeOf(await payer());
    faults.lost = { path, times: 2 };
    // A payment is found by looking at its invoice; of anything before it there was no answer.
    expect((await payments.charge(charge)).outcome).toBe(path.test('/pay') ? 'paid' : 'unavailable');
    faults.lost = null;
    expect(await payments.charge(charge)).toMatchObject({ outcome: 'paid' });
    expect(await desk.taken(charge.reference)).toBe(charge.amount);
    expect(states(charge.reference)).toEqual(['paid']);
  });
});

test('a vendor that took the money and never answers again is no success until it is asked', async () => {
  const charge = chargeOf(await payer());
  faults.lost = { path: /(pay|\/v1\/invoices\/in_\w+)$/, times: 4 };
  expect(await payments.charge(charge)).toMatchObject({ outcome: 'unavailable' });
  expect(await desk.taken(charge.reference)).toBe(charge.amount);
  faults.lost = null;
  expect(await payments.find(charge)).toMatchObject({ outcome: 'paid', amount: charge.amount });
});

test('a vendor that is down or breaks is unavailable, and nothing is taken', async () => {
  const charge = chargeOf(await payer());
  faults.down = true;
  expect(await payments.charge(charge)).toMatchObject({ outcome: 'unavailable' });
  expect(await payments.find(charge)).toMatchObject({ outcome: 'unavailable' });
  expect(await payments.withdraw(charge)).toMatchObject({ outcome: 'unavailable' });
  expect(await payments.refund({ id: randomUUID(), ...charge })).toMatchObject({ outcome: 'unavailable' });
  faults.down = false;
  expect(await desk.taken(charge.reference)).toBe(0);
});

test('a failure that the vendor keeps under its key does not stand in the way of a later try for ever', async () => {
  const charge = chargeOf(await payer());
  faults.broken = { path: /\/pay$/, times: 1 };
  const first = await payments.charge(charge);
  const second = first.outcome === 'paid' ? first : await payments.charge(charge);
  expect(second).toMatchObject({ outcome: 'paid' });
  expect(await desk.taken(charge.reference)).toBe(charge.amount);
});

test.each([
  ['declined', 'refused'],
  ['insufficient_funds', 'insufficient_funds'],
  ['expired_card', 'expired'],
] as const)('a card that is %s leaves nothing to pay', async (behaviour, why) => {
  const charge = chargeOf(await payer(cardOf(behaviour)));
  expect(await payments.charge(charge)).toEqual({ outcome: 'declined', why });
  expect(states(charge.reference)).toEqual(['void']);
  expect(await payments.find(charge)).toEqual({ outcome: 'none' });
  // Another card, the same reference.
  books.cards.push({
    id: 'pm_other',
    customer: invoices(charge.reference)[0]!.customer,
    number: cardOf('pays'),
  });
  expect(await payments.charge(charge)).toMatchObject({ outcome: 'paid' });
  expect(await desk.taken(charge.reference)).toBe(charge.amount);
});

test('without a card nothing is asked for', async () => {
  const charge = chargeOf(await payer(null));
  expect(await payments.charge(charge)).toEqual({ outcome: 'declined', why: 'no_means' });
  expect(states(charge.reference)).toEqual([]);
});

test('a payment that its bank wants confirmed stays open for its payer, and is paid on the page of the vendor alone', async () => {
  const charge = chargeOf(await payer(cardOf('authentication_required')));
  const asked = await payments.charge(charge);
  if (asked.outcome !== 'to_confirm') throw new Error(`${asked.outcome} is no confirmation`);
  expect(await payments.find(charge)).toEqual({ outcome: 'open', pageUrl: asked.pageUrl });
  // Looking at the page pays nothing.
  await fetch(asked.pageUrl);
  expect(await payments.find(charge)).toMatchObject({ outcome: 'open' });
  await fetch(asked.pageUrl, { method: 'POST' });
  expect(await payments.find(charge)).toMatchObject({ outcome: 'paid', amount: charge.amount });
});

test('what is withdrawn cannot be paid on the page any more', async () => {
  const charge = chargeOf(await payer(cardOf('authentication_required')));
  const asked = await payments.charge(charge);
  if (asked.outcome !== 'to_confirm') throw new Error(`${asked.outcome} is no confirmation`);
  expect(await payments.withdraw(charge)).toEqual({ outcome: 'none' });
  await fetch(asked.pageUrl, { method: 'POST' });
  expect(await desk.taken(charge.reference)).toBe(0);
});

test('an amount that changed replaces what was open', async () => {
  const who = await payer(cardOf('authentication_required'));
  const charge = chargeOf(who, 300);
  await payments.charge(charge);
  const less = { ...charge, amount: toMicro(250) };
  const asked = await payments.charge(less);
  if (asked.outcome !== 'to_confirm') throw new Error(`${asked.outcome} is no confirmation`);
  await fetch(asked.pageUrl, { method: 'POST' });
  expect(states(charge.reference)).toEqual(['void', 'paid']);
  expect(await desk.taken(charge.reference)).toBe(less.amount);
});

test('a part of a cent is given to the payer', async () => {
  const charge = { ...chargeOf(await payer()), amount: 79_009_999 as never };
  expect(await payments.charge(charge)).toMatchObject({ outcome: 'paid', amount: 79_000_000 });
});

test('a card is saved first, and changed on another page once there is one', async () => {
  const who = await payer(null);
  const open = () => payments.openMeansPage!({ payer: who, returnUrl: 'http://product.test/billing' });
  const [first] = [await open()];
  expect(first).toMatchObject({ outcome: 'page', url: expect.stringContaining('/pages/setup/') });
  if (first.outcome !== 'page') return;
  const back = await fetch(first.url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'number=4242424242424242',
  });
  expect(back.headers.get('location')).toBe('http://product.test/billing');
  expect(await open()).toMatchObject({ url: expect.stringContaining('/pages/portal/') });
});

describe('a notice', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const take = (notice: { body: string; signature: string }) =>
    taker.take(bytes(notice.body), notice.signature);
  const paidNotice = async () => {
    const charge = chargeOf(await payer());
    await payments.charge(charge);
    const body = notices.waiting.find(
      (one) => one.includes('"invoice.paid"') && one.includes(charge.reference),
    )!;
    return { charge, body };
  };

  test('names the charge it is about, and as often as it comes', async () => {
    const { charge, body } = await paidNotice();
    const notice = notices.sign(body);
    for (const _time of [1, 2])
      expect(await take(notice)).toEqual({ about: 'charge', reference: charge.reference });
  });

  test('is refused with another body, another key, without a signature and when it is older than five minutes', async () => {
    const { body } = await paidNotice();
    const good = notices.sign(body);
    expect(await take({ ...good, body: body.replace('invoice.paid', 'invoice.void') })).toBe('refused');
    expect(await take({ ...good, body: `${body} ` })).toBe('refused');
    expect(await take({ ...good, signature: '' })).toBe('refused');
    expect(
      await take({ ...good, signature: good.signature.replace(/.$/, (sign) => (sign === '0' ? '1' : '0')) }),
    ).toBe('refused');
    expect(await take(notices.sign(body, Date.now() - 301_000))).toBe('refused');
    expect(await take(notices.sign(body, Date.now() - 200_000))).not.toBe('refused');
    expect(await take(notices.sign('no JSON'))).toBe('refused');
  });

  test('of a dispute names it, and the vendor says what it is now', async () => {
    const charge = chargeOf(await payer(cardOf('disputed')));
    await payments.charge(charge);
    const created = notices.waiting.findLast((one) => one.includes('charge.dispute.created'))!;
    const { id } = (JSON.parse(created) as { data: { object: { id: string } } }).data.object;
    const dispute = { id, reference: charge.reference, amount: charge.amount, why: 'fraudulent' };
    expect(await take(notices.sign(created))).toEqual({ about: 'dispute', id });
    const respondBy = standIn.books.disputes.get(id)!.dueBy * 1_000;
    expect(await payments.findDispute(id)).toEqual({
      outcome: 'found',
      dispute: { ...dispute, status: 'open', respondBy },
    });
    standIn.decideDispute(id, 'lost');
    expect(await payments.findDispute(id)).toMatchObject({ dispute: { ...dispute, status: 'lost' } });
    faults.down = true;
    expect((await payments.findDispute(id)).outcome).toBe('unavailable');
  });
});

// From a profit to a bill that nobody pays, its reminders, the end of new exposure, the closing by two people of support, the
// payment through the payment service and back, the final statement, and the way out; in a real browser on the real server,
// with the payment service's stand-in.
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { stripePayments } from '#adapters/payments/stripe/stripe.ts';
import { beat } from '#records/operations/heartbeats.ts';
import { payerStore } from '#records/payments/payers.ts';
import { mountPaymentStandIn } from '#sandbox/stripe/stand-in.ts';
import { collectFees } from '#server/fees/collect-fees.ts';
import { PAYMENT_NOTICE_PATH } from '#server/payments/serve-payment-notices.ts';
import { billedDeployment } from '#tests/support/billed-deployment.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { openWatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';
import { DAY_MS, type Instant, instant, parseInstant } from '#units/instant.ts';
import { wallInstantOf } from '#units/wall-instant.ts';
import { SECRETS } from '../payments/payment-stage.ts';

const browser = await launchBrowser();
afterAll(() => browser.close());
const vendor = Fastify();
const { notices, books } = mountPaymentStandIn(vendor, { nowMs: Date.now, ...SECRETS });
const standInUrl = await vendor.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => vendor.close());
const app = await testApp({ webRoot: WEB_ROOT }, undefined, {
  payments: ({ database }) =>
    stripePayments(
      { secretKey: SECRETS.secretKey, webhookSecrets: [SECRETS.webhookSecret], standInUrl },
      payerStore(database, 'stripe'),
    ),
});
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
notices.sendTo(`${base}${PAYMENT_NOTICE_PATH}`);
// Where the payment service leads back to.
Object.assign(app.dependencies.config, { publicUrl: base });
const { records, dependencies } = app;

const marketAt = (at: Instant) =>
  beat(records.database, {
    process: 'trader',
    beatAt: wallInstantOf(instant(Date.now())),
    marketAt: at,
    details: {},
  });

async function signedIn(email: string, at: string) {
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL(/\/(dashboard|operations)/);
  await page.goto(at);
  return watched;
}

test('an unpaid bill leads to the end of trading in steps, and its payment to the way out', {
  timeout: 240_000,
}, async () => {
  const { person, deploymentId } = await billedDeployment(app, 1_000);
  await records.pool.query(
    `update deployments set status = 'active', revision = revision + 1 where id = $1`,
    [deploymentId],
  );
  await records.pool.query('update users set pays_fees_automatically = false where id = $1', [person.id]);
  const { rows } = await records.pool.query<{ id: string; due_at: Date; period_end: Date }>(
    'select id, due_at, period_end from fee_bills where deployment_id = $1 and fee_micro > 0',
    [deploymentId],
  );
  const [bill] = rows;
  if (bill === undefined) throw new Error('no bill was made');
  expect(bill.due_at.getTime() - bill.period_end.getTime()).toBe(5 * DAY_MS);
  const due = parseInstant(bill.due_at);

  // The bill, and what follows.
  await marketAt(instant(due + 8 * DAY_MS));
  await collectFees(dependencies);
  const client = await signedIn(person.email, `/fees/${bill.id}`);
  const { page } = client;
  await page.getByText(/no new positions are opened in any of your deployments/).waitFor();
  expect(await violationsInEveryLook(client)).toEqual([]);

  // No new exposure after two weeks.
  await marketAt(instant(due + 31 * DAY_MS));
  await collectFees(dependencies);
  await page.goto(`/deployed-strategies/${deploymentId}`);
  await page.getByText(/fee/i).first().waitFor();

  // Two people at the desk.
  const [sue, bob] = [await signedInPerson(app), await signedInPerson(app)];
  await giveRole(records, sue, 'support');
  await giveRole(records, bob, 'support');
  const first = await signedIn(sue.email, '/operations');
  await first.page.getByRole('button', { name: `Close the account: ${person.email}` }).click();
  await first.page.getByLabel('Why (the client reads it)').fill('two reminders stayed unanswered');
  await first.page.getByRole('button', { name: 'Propose' }).click();
  await first.page.getByText('A second person must approve it.').waitFor();
  expect(await violationsInEveryLook(first)).toEqual([]);
  await first.context.close();
  const second = await signedIn(bob.email, '/operations');
  await second.page.getByRole('button', { name: `Approve closing: ${person.email}` }).click();
  await second.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await second.page.getByText('It counts from now on.').waitFor();
  await second.context.close();
  const { rows: after } = await records.pool.query('select requested_status from deployments where id = $1', [
    deploymentId,
  ]);
  expect(after).toEqual([{ requested_status: 'paused' }]);

  // To the payment service and back, which pays nothing; then the bill.
  await page.goto('/account');
  await page.getByRole('button', { name: 'Payment card' }).click();
  await page.waitForURL(/\/pages\/setup\//);
  await page.getByRole('button', { name: 'Save card' }).click();
  await page.waitForURL(`${base}/account`);
  expect(books.payments).toHaveLength(0);
  await page.goto(`/fees/${bill.id}`);
  await page.getByRole('button', { name: 'Pay now' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Pay \$/ })
    .click();
  await page.getByText('Bill paid').waitFor();
  expect(books.payments).toMatchObject([{ amount: 30_000 }]);

  // The end.
  await records.pool.query(
    `update deployments set status = 'stopped', requested_status = null, ended_at = billed_through, revision = revision + 1
     where id = $1`,
    [deploymentId],
  );
  await page.goto(`/deployed-strategies/${deploymentId}`);
  await page.getByRole('heading', { name: 'Final Statement' }).waitFor();
  await page.getByText('Left after all fees').waitFor();
  expect(await violationsInEveryLook(client)).toEqual([]);
  await page.goto('/account?tab=data');
  await page.getByRole('heading', { name: 'Close your account' }).waitFor();
  expect(await violationsInEveryLook(client)).toEqual([]);
  await page.getByRole('button', { name: 'Close my account' }).click();
  await page.getByLabel('Your e-mail').fill(person.email);
  await page.getByRole('dialog').getByRole('button', { name: 'Close my account' }).click();
  await page.getByText('Your account is closed').waitFor();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /token/i.test(key)))).toEqual(
    [],
  );
  await client.context.close();
});

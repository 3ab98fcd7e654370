import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { openDifference, soldExternally } from '#tests/api/cases/adjustments.ts';
import { unknownOrder } from '#tests/api/cases/operations.ts';
import { liquidationRequest, supportPerson } from '#tests/api/scene.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { addDeadLetter } from '#tests/support/dead-letter.ts';
import { deliverMails } from '#tests/support/deliver-mails.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { personPage } from '#tests/support/person-page.ts';
import { testApp } from '#tests/support/test-app.ts';
import { tradedDeployment } from '#tests/support/test-deployment.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { openWatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';
import type { UserId } from '#units/identifiers.ts';

const browser = await launchBrowser();
afterAll(() => browser.close());

// A day at the operations desk, in a real browser on the real server: halt and lift, a decision on an order of unknown
// fate, a declined request; and a client who halts all their own trading. All other users find no desk.
const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const { pool } = app.records;
const row = async (query: string, ...values: unknown[]) => (await pool.query(query, values)).rows[0];
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('support halts, says why, decides and lifts; no one else has the page', async () => {
  const { clientOrderId, params } = await unknownOrder(app);
  const request = await liquidationRequest(app);
  const page = await personPage(browser, base, await supportPerson(app));
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Operations' }).first().click();
  await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor();
  await page.getByText('2 items to review, nothing is halted.').waitFor();

  await button(page, 'Halt trading').click();
  const dialog = page.getByRole('dialog');
  const final = dialog.getByRole('button', { name: 'Halt everyone' });
  expect(await final.isDisabled()).toBe(true);
  await dialog.getByText('Open orders stay at the broker').waitFor();
  await dialog.getByLabel('Also cancel open orders at the broker').check();
  await dialog.getByText('no stop protects these positions').waitFor();
  await dialog.getByLabel('Why').fill('prices look wrong.');
  await final.click();
  await page.getByRole('heading', { name: 'Everyone' }).waitFor();
  expect(await row('select cancels_working, because from kill_switches where lifted_at is null')).toEqual({
    cancels_working: false,
    because: 'prices look wrong',
  });
  // A second one of the same kind: its refusal appears at the form that asked for it.
  await button(page, 'Halt trading').click();
  await dialog.getByLabel('Why').fill('again');
  await final.click();
  await dialog.getByText('Trading is already halted').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('to cancel open orders and protective stops, because prices look wrong').waitFor();
  await button(page, 'Lift: everyone').click();
  await dialog.getByLabel('Why').fill('prices are right again');
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await page.getByText('to lift this halt, because prices are right again').waitFor();

  await button(page, /^Resolve: Buy 3 SPY/).click();
  await dialog.getByRole('radio', { name: 'It never arrived' }).click();
  await dialog.getByLabel('What you saw').fill('the list of the day does not show it');
  const settles = dialog.getByRole('button', { name: 'Propose: never arrived' });
  expect(await settles.isDisabled()).toBe(true);
  await dialog.getByLabel(/^To confirm/).fill(clientOrderId.slice(-6));
  await settles.click();
  await page.getByText('to resolve it: the broker has nothing more of it, because').waitFor();
  expect(await button(page, /^Approve/).count()).toBe(1);

  // Nothing of it counts until another person agrees.
  const second = await personPage(browser, base, await supportPerson(app));
  await second.goto('/operations');
  const approve = async (name: string | RegExp) => {
    await button(second, name).click();
    await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  };
  await approve('Approve cancelling: everyone');
  await second.getByText('Open orders at the broker were cancelled').waitFor();
  await approve('Approve lifting: everyone');
  await second.getByText('No halts. Orders are sent').waitFor();
  await approve(/^Approve: Buy 3 SPY/);
  await second.getByText('the broker has nothing more of it, because').waitFor();
  await expect
    .poll(() => row('select verdict from order_resolutions where order_id = $1', params.id))
    .toEqual({ verdict: 'never_arrived' });
  await second.context().close();

  await button(page, /^Decline the request: /).click();
  await dialog.getByLabel('Why').fill('the market is closed');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('No open requests.').waitFor();
  expect((await row('select reason from liquidation_requests where id = $1', request.params.id)).reason).toBe(
    'the market is closed',
  );
  await page.context().close();

  const other = await personPage(browser, base, await signedInPerson(app));
  await other.goto('/operations');
  await other.waitForURL(`${base}/`);
  expect(await other.getByRole('link', { name: 'Operations' }).count()).toBe(0);
  await other.context().close();
});

test('one staff member proposes an adjustment of the books, and another one approves it', async () => {
  const { difference, deployment, symbol } = await openDifference(app);
  const [first, second] = [await supportPerson(app), await supportPerson(app)];
  const page = await personPage(browser, base, first);
  const dialog = page.getByRole('dialog');
  await page.goto('/operations');
  await button(page, new RegExp(`^Resolve: ${symbol}`)).click();
  const propose = dialog.getByRole('button', { name: 'Propose' });
  await dialog.getByText(/Books now: .* After the adjustment: /).waitFor();
  await dialog.getByRole('radio', { name: 'Book as external' }).click();
  await dialog.getByText('no external trade explains it').waitFor();
  expect(await propose.isDisabled()).toBe(true);
  await dialog.getByRole('radio', { name: 'Adjust our books' }).click();
  await dialog.getByLabel('Price').fill('425.50');
  await dialog.getByLabel('Why').fill('the owner moved it to another broker.');
  // An adjustment larger than the difference is refused at the form that asked for it.
  await dialog.getByLabel('Units to book').fill('-2');
  await propose.click();
  await dialog.getByText('at most 1 can be removed').waitFor();
  await dialog.getByLabel('Units to book').fill('-1');
  await propose.click();
  await page.getByText(`remove 1 ${symbol} at 425.50 each`).first().waitFor();
  await page.getByText(/Waiting for a second member of support\./).waitFor();
  expect(await button(page, /^Approve:/).count()).toBe(0);
  await page.context().close();

  const other = await personPage(browser, base, second);
  await other.goto('/operations');
  await button(other, /^Approve: remove 1/).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Approve adjustment' }).click();
  await other.getByText('The trader books it at its next check').waitFor();
  expect(
    await row(
      `select status, units::float8, because, deployment_id as deployment, proposed_by, decided_by from adjustments
       where break_id = $1`,
      difference,
    ),
  ).toEqual({
    status: 'approved',
    units: -1,
    because: 'the owner moved it to another broker',
    deployment,
    proposed_by: first.id,
    decided_by: second.id,
  });
  await button(other, /^Decline: remove 1/).click();
  const declines = other.getByRole('dialog');
  await declines.getByLabel('Why').fill('it came back');
  await declines.getByRole('button', { name: 'Decline' }).click();
  await other.getByText(/Last proposal: .* was declined: it came back\./).waitFor();
  await other.context().close();
});

test('an owner’s external sale is proposed at its price, and cannot go into suspense', async () => {
  const { difference, deployment, symbol } = await soldExternally(app);
  const person = await supportPerson(app);
  const page = await personPage(browser, base, person);
  const dialog = page.getByRole('dialog');
  await page.goto('/operations');
  const list = page.getByRole('region', { name: /^Missing holdings/ });
  await list.getByText('Sold by the owner').waitFor();
  await list.getByRole('button', { name: new RegExp(`^Resolve: ${symbol}`) }).click();
  await dialog.getByText(/Books now: .* After the adjustment: /).waitFor();
  expect(await dialog.getByLabel('Units to book').inputValue()).toBe('-1');
  expect(await dialog.getByLabel('Price').inputValue()).toBe('431');
  expect(await dialog.getByLabel('Execution to reverse').count()).toBe(0);
  await dialog.getByRole('radio', { name: 'Book as external' }).click();
  await dialog.getByText('This external trade is already booked').waitFor();
  await dialog.getByRole('radio', { name: 'Adjust our books' }).click();
  await dialog.getByLabel('Why').fill('you sold it at your broker');
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await list.getByText(`remove 1 ${symbol} at 431.00 each`).first().waitFor();
  expect(
    await row(
      `select status, units::float8, price::float8, deployment_id as deployment from adjustments
       where break_id = $1`,
      difference,
    ),
  ).toEqual({ status: 'open', units: -1, price: 431, deployment });
  await page.context().close();
});

test('a client sees a correction and its reason among the trades', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  const [first, second] = [await supportPerson(app), await supportPerson(app)];
  await pool.query(
    `with seen as (
       insert into reconciliation_breaks (account_id, symbol, ours, external, theirs, ended_at)
       select c.account_id, 'SPY', 10, 0, 9, now() from broker_connections c join deployments d on d.broker_connection_id = c.id
       where d.id = $1 returning id, account_id)
     insert into adjustments (id, account_id, connection_id, break_id, seen, closes_as, deployment_id, symbol, units,
       price, because, proposed_by, status, decided_by, applied_at, net_units, cash_micro, realized_micro, net_commission_micro,
       booked_profit_micro, explanation)
     select gen_random_uuid(), s.account_id, d.broker_connection_id, s.id, '', 'adjustment', d.id, 'SPY', -1, 425, 'x', $2, 'applied',
       $3, now(), -1, 425000000, 0, 0, 0, '1 SPY removed at $425 each. Reason: it was moved.'
     from deployments d, seen s where d.id = $1`,
    [deploymentId, first.id, second.id],
  );
  const page = await personPage(browser, base, person);
  await page.goto(`/deployed-strategies/${deploymentId}`);
  await button(page, 'Why this adjustment of SPY').click();
  await page.getByRole('dialog').getByText('Reason: it was moved.').waitFor();
  await page.context().close();
});

test('a client halts all their own trading, sees the halt, and trades again', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  const page = await personPage(browser, base, person);
  await page.goto('/deployed-strategies');
  await button(page, 'Halt everything').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Halt everything' }).click();
  await page.getByText('You have halted all your trading', { exact: true }).waitFor();
  expect(await row(`select target from kill_switches where scope = 'own' and lifted_at is null`)).toEqual({
    target: person.id,
  });
  await page.goto(`/deployed-strategies/${deploymentId}`);
  await page.getByText('No orders are sent until you lift the halt.').waitFor();
  await page.goto('/deployed-strategies');
  await button(page, 'Trade again').click();
  await button(page, 'Halt everything').waitFor();
  expect(
    await row(`select 1 as is_on from kill_switches where scope = 'own' and lifted_at is null`),
  ).toBeUndefined();
  await page.context().close();
});

// Support and jobs that failed permanently: listed, one sent again, one discarded.
describe('failed jobs', async () => {
  const app = await testApp({ webRoot: WEB_ROOT });
  const base = await app.app.listen({ port: 0, host: '127.0.0.1' });

  test('support reads why a job failed, sends one again and discards another', async () => {
    const { world, dependencies, request, records } = app;
    const client = await signedInPerson(app);
    await request({ method: 'POST', url: '/api/auth/password/reset/', body: { email: client.email } });
    world.mailOutcome = { outcome: 'refused', mayPass: false, reason: '550 no such mailbox' };
    await deliverMails(dependencies);
    world.mailOutcome = { outcome: 'sent' };
    await addDeadLetter(records.database, 'plan-renewals', {
      data: { userId: client.id as UserId },
      key: client.id,
      output: { code: 'payment_unanswered', detail: 'no answer within 30 s' },
    });

    const support = await supportPerson(app);
    const watched = await openWatchedPage(browser, base);
    const { page } = watched;
    await page.goto('/robots.txt');
    await page.evaluate(
      `localStorage.setItem('token', '${support.token}'); localStorage.setItem('refreshToken', '${support.refresh}')`,
    );
    await page.goto('/operations');
    await page.getByText('2 items to review').waitFor();
    const list = page.getByRole('region', { name: /^Failed jobs/ });
    await list.getByRole('heading', { name: 'E-mail: password reset' }).waitFor();
    await list.getByText('The mail server rejected it.').waitFor();
    await list.getByText('550 no such mailbox').waitFor();
    expect(await violationsInEveryLook(watched)).toEqual([]);

    await list.getByRole('button', { name: /^Retry: E-mail/ }).click();
    await page.getByText('The job is queued again').waitFor();
    expect(await deliverMails(dependencies)).toBe(1);
    await list.getByRole('button', { name: /^Discard: Plan renewal/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await list.getByRole('button', { name: /^Discard: Plan renewal/ }).click();
    expect(await watched.violations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await list.getByText('No failed jobs.').waitFor();
    expect(watched.takeErrors()).toEqual([]);
    await watched.context.close();
  }, 120_000);
});

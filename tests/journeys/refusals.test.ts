// What a person pressed and the service did not do: the sentence is shown, what they typed stays, and what they see is
// what is so. In a real browser on the real server, which refuses for true reasons; only the network is broken by hand.
import { setStatus } from '../support/deployment-commands.ts';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, expect, test } from 'vitest';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import type { NotificationId, UserId } from '../../src/units/identifiers.ts';
import { instant } from '../../src/units/instant.ts';
import { launchBrowser } from '../support/browser.ts';
import { countRequests, personPage, runUntil, stopClock } from '../support/person-page.ts';
import { cashOf, testApp } from '../support/test-app.ts';
import { tradedDeployment } from '../support/test-deployment.ts';
import { answersOf, readyPerson, signedInPerson, type TestPerson } from '../support/test-person.ts';
import { publishedStrategy } from '../support/test-strategy.ts';

const app = await testApp({ webRoot: path.resolve(import.meta.dirname, '../../src/web/dist') });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser: Browser = await launchBrowser();
afterAll(() => browser.close());
const strategy = await publishedStrategy(app);
let page: Page;
afterEach(() => page.context().close());

const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
const UNREACHABLE = 'We cannot reach the service. Check your connection and try again.';

/** The wizard at its last step, with an amount and a limit of the person's own. */
async function walkToConfirmation(): Promise<TestPerson> {
  app.world.accountId = `DU${randomUUID().slice(0, 7)}`;
  const person = await readyPerson(app);
  page = await personPage(browser, base, person);
  await page.goto(`/strategy/${strategy}/deploy`);
  await page.getByRole('radio', { name: /Interactive Brokers/ }).check();
  await press(/^Connect to Interactive Brokers/);
  await press('Use this account');
  await page.getByLabel('Investment Amount').fill('7654.32');
  await page.getByRole('slider', { name: 'Max Allocation' }).press('End');
  await says('This strategy has a risk score of 3 out of 5, which is within your own score of 5.');
  await press('Review Deployment');
  await page.getByRole('button', { name: 'Deploy Strategy' }).waitFor();
  return person;
}

async function countDeployments({ token }: TestPerson): Promise<number> {
  return (await app.request({ url: '/api/deployments/', token })).body.length;
}

async function expectKept(): Promise<void> {
  await press('Back');
  expect(await page.getByLabel('Investment Amount').inputValue()).toBe('7654.32');
  const slider = page.getByRole('slider', { name: 'Max Allocation' });
  expect(await slider.inputValue()).toBe(await slider.getAttribute('max'));
  await press('Review Deployment');
}

test('a deployment that the service refuses: its reason is shown, what was set stays, and it can be tried again', async () => {
  const person = await walkToConfirmation();
  app.world.cash = cashOf(100);
  await press('Deploy Strategy');
  const notice = page.getByRole('alert').filter({ hasText: 'Failed to deploy strategy. Please try again.' });
  await notice.waitFor();
  const { body } = await app.request({
    method: 'POST',
    url: '/api/deployments/',
    token: person.token,
    body: await refusedBody(person),
  });
  expect(body.code).toBe('insufficient_cash');
  expect(await notice.innerText()).toContain(body.message);
  expect(await countDeployments(person)).toBe(0);
  await expectKept();
  app.world.cash = cashOf(1_000_000);
  await press('Deploy Strategy');
  await page.waitForURL(/\/deployed-strategies\/[^/]+$/);
  expect(await page.evaluate('history.state.usr.deploymentSuccess')).toBe(true);
  expect(await countDeployments(person)).toBe(1);
});

async function refusedBody({ token }: TestPerson): Promise<object> {
  const { body } = await app.request({ url: '/api/broker-connections/', token });
  return {
    strategy,
    broker_connection: body[0].id,
    investment_amount: 7654.32,
    stop_loss_percentage: 10,
    max_allocation_per_trade: 20,
    freeze_on_drawdown: 25,
  };
}

test('a deployment whose answer is lost: said so, kept over a reload, and pressed again it is the same one', async () => {
  const person = await walkToConfirmation();
  const deploys = '**/api/deployments/';
  await page.route(deploys, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await press('Deploy Strategy');
  await says(UNREACHABLE);
  await page.reload();
  await page.getByRole('button', { name: 'Deploy Strategy' }).waitFor();
  await expectKept();
  await page.unroute(deploys);
  // This time it arrives, and only the answer does not.
  await page.route(deploys, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await page.getByRole('button', { name: 'Deploying...' }).waitFor();
    await route.fetch();
    await route.abort();
  });
  await press('Deploy Strategy');
  await says(UNREACHABLE);
  expect(await countDeployments(person)).toBe(1);
  await page.unroute(deploys);
  await press('Deploy Strategy');
  await page.waitForURL(/\/deployed-strategies\/[^/]+$/);
  expect(await countDeployments(person)).toBe(1);
});

test('settings that are not saved: the reason is shown, what was moved stays, the page shows what holds', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  page = await personPage(browser, base, person);
  await page.goto(`/deployed-strategies/${deploymentId}`);
  await press('Settings');
  const dialog = page.getByRole('dialog', { name: 'Strategy Settings' });
  const slider = dialog.getByRole('slider', { name: 'Stop loss' });
  await slider.press('Home');
  const moved = await slider.inputValue();
  expect(moved).not.toBe('10');
  const save = () => dialog.getByRole('button', { name: 'Save Changes' }).click();
  const settings = '**/api/deployments/*/settings/';
  await page.route(settings, (route) => route.abort());
  await save();
  await dialog.getByText('The settings were not saved').waitFor();
  await dialog.getByText(UNREACHABLE).waitFor();
  await page.unroute(settings);
  await setStatus(app.records.pool, deploymentId, 'stopping');
  await save();
  const { body } = await app.request({
    method: 'PATCH',
    url: `/api/deployments/${deploymentId}/settings/`,
    token: person.token,
    body: { stop_loss_percentage: Number(moved) },
  });
  expect(body.code).toBe('illegal_move');
  await dialog.getByText(body.message).waitFor();
  expect(await slider.inputValue()).toBe(moved);
  await says('Stop loss at 10%');
  await setStatus(app.records.pool, deploymentId, 'active');
  await save();
  await dialog.waitFor({ state: 'hidden' });
  await says(`Stop loss at ${moved}%`);
});

test('marking as read is put back when the service did not take it', async () => {
  const person = await signedInPerson(app);
  await insertNotifications(app.records.database, [
    {
      id: randomUUID() as string as NotificationId,
      userId: person.id as UserId,
      deploymentId: null,
      facts: { kind: 'frozen', strategyName: 'Calm Trend', drawdownPercent: 20 },
      cause: randomUUID(),
      at: instant(Date.UTC(2026, 0, 8)),
    },
  ]);
  page = await personPage(browser, base, person);
  await page.goto('/dashboard');
  const unread = page.getByRole('button', { name: 'Notifications, 1 unread' });
  await unread.click();
  await page.route('**/api/notifications/**', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  );
  const refused = page.waitForEvent('requestfailed');
  await press('Mark all as read');
  await refused;
  await unread.waitFor();
});

test('offline, what is pressed fails with a sentence at once, and is not sent later unseen', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  page = await personPage(browser, base, person);
  await page.goto(`/deployed-strategies/${deploymentId}`);
  const pause = page.getByRole('button', { name: 'Pause Trading' });
  await pause.waitFor();
  await page.context().setOffline(true);
  await pause.click();
  await page.getByRole('status').getByText('Trading was not paused').waitFor();
  await says(UNREACHABLE);
  const pauses = countRequests(page, /\/pause\//);
  const read = page.waitForResponse(`**/api/deployments/${deploymentId}/`);
  await page.context().setOffline(false);
  await read;
  expect(pauses()).toBe(0);
  await pause.waitFor();
});

test('a service that does not answer is waited for no longer than twenty seconds, then it can be tried again', async () => {
  page = await personPage(browser, base, await signedInPerson(app));
  await stopClock(page);
  const deployments = '**/api/deployments/';
  await page.route(deployments, () => undefined);
  const asked = page.waitForRequest(deployments);
  await page.goto('/deployed-strategies');
  await runUntil(page, () => page.getByText('Loading your strategies').first().isVisible());
  await asked;
  await page.clock.runFor(20_000);
  await says('Failed to load deployed strategies');
  await page.unroute(deployments);
  await press('Try Again');
  await runUntil(page, () => page.getByText('No strategies deployed yet').isVisible());
});

test('signing starts 1000 ms after it was asked for, and a start that fails is said', async () => {
  const person = await signedInPerson(app);
  const { token } = person;
  const answers = { questionnaire_responses: answersOf(2) };
  await app.request({ method: 'POST', url: '/api/risk-assessment/', token, body: answers });
  const about = { date_of_birth: '1980-02-29', country: 'CH' };
  await app.request({ method: 'PATCH', url: '/api/auth/me/', token, body: about });
  page = await personPage(browser, base, person);
  await stopClock(page);
  await page.route(/\/investment-agreement-url/, (route) => route.abort());
  await page.goto(`/strategy/${strategy}/deploy?step=agreement`);
  const sign = page.getByRole('button', { name: 'Sign Agreement' });
  await runUntil(page, () => sign.isVisible());
  const asked = countRequests(page, /\/investment-agreement-url/);
  await sign.click();
  await page.getByText('Preparing the agreement...').waitFor();
  await page.clock.runFor(990);
  expect(asked()).toBe(0);
  await page.clock.runFor(10);
  await expect.poll(asked).toBe(1);
  await says(/^Failed to get agreement signing URL\./);
  await sign.waitFor();
});

// Connecting a broker, where it does not go well: refused there, cancelled here, walked away from, not to be reached.
// In a real browser on the real server; the broker's window is answered by the test, its way back by the server.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type Instant, MINUTE_MS } from '../../src/units/instant.ts';
import { launchBrowser } from '../support/browser.ts';
import { countRequests, personPage, runUntil, stopClock } from '../support/person-page.ts';
import { testApp } from '../support/test-app.ts';
import { newDeployment } from '../support/test-deployment.ts';
import { callbackOf, readyPerson, type TestPerson } from '../support/test-person.ts';
import { publishedStrategy } from '../support/test-strategy.ts';

const app = await testApp({ webRoot: path.resolve(import.meta.dirname, '../../src/web/dist') });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser: Browser = await launchBrowser();
afterAll(() => browser.close());
const strategy = await publishedStrategy(app);
let page: Page;
afterEach(() => page.context().close());

const STATUS = /\/api\/ibkr-status\//;
const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();

async function openWindow(person: TestPerson): Promise<void> {
  page = await personPage(browser, base, person);
  await page.clock.install();
  await page
    .context()
    .route('http://broker.test/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'Sign in here' }),
    );
}

/** The wizard at its connection step. */
async function chooseBroker(): Promise<void> {
  app.world.accountId = `DU${randomUUID().slice(0, 7)}`;
  await openWindow(await readyPerson(app));
  await page.goto(`/strategy/${strategy}/deploy`);
  await page.getByRole('radio', { name: /Interactive Brokers/ }).check();
  await press(/^Connect to Interactive Brokers/);
  await page.getByRole('button', { name: 'Click Here To Connect' }).waitFor();
}

/** Presses, and answers the broker's window once it is there. */
async function begin(button = 'Click Here To Connect'): Promise<Page> {
  // Which attempt is the newest is told by the clock, which stands still unless moved.
  app.world.now = (app.world.now + 1) as Instant;
  const opened = page.waitForEvent('popup');
  await press(button);
  const popup = await opened;
  await popup.waitForURL('http://broker.test/**');
  return popup;
}

/** What the broker's page does when the person refuses, and when they allow. */
const refuseAt = (popup: Page) => {
  const back = new URL(callbackOf(popup.url()), base);
  back.searchParams.delete('oauth_verifier');
  return app.request({ method: 'GET', url: back.pathname + back.search });
};
const allowAt = (popup: Page) => app.request({ method: 'GET', url: callbackOf(popup.url()) });
/** The next question how far it is comes at once. */
const ask = () => page.clock.runFor(2_000);

const FAILED = 'Interactive Brokers connection failed. Please try again.';

test('a refused sign-in says so with its reason, closes the window and can be begun again', async () => {
  await chooseBroker();
  const popup = await begin();
  const closed = popup.waitForEvent('close');
  await refuseAt(popup);
  await ask();
  await says(`${FAILED} You did not approve access at the broker.`);
  await closed;
  expect(await page.getByText('Waiting for you to sign in').count()).toBe(0);
  app.world.accountId = `DU${randomUUID().slice(0, 7)}`;
  await allowAt(await begin());
  await ask();
  await page.getByLabel('Investment Amount').waitFor();
  await says('Broker connected');
});

test('Cancel closes the window and asks no more, without calling it a failure', async () => {
  await chooseBroker();
  await stopClock(page);
  await page.reload();
  const button = page.getByRole('button', { name: 'Click Here To Connect' });
  await runUntil(page, () => button.isVisible());
  const popup = await begin();
  const closed = popup.waitForEvent('close');
  await runUntil(page, () => page.getByText('No window? Open it here').isVisible());
  await press('Cancel');
  await closed;
  await button.waitFor();
  const asked = countRequests(page, STATUS);
  await page.clock.runFor(20_000);
  expect(asked()).toBe(0);
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('who walks away from the sign-in is waited for, over a reload too, and told when its time is over', async () => {
  await chooseBroker();
  await (await begin()).close();
  const asked = page.waitForResponse(STATUS);
  await page.getByRole('link', { name: /No window\? Open it here/ }).waitFor();
  await ask();
  await asked;
  await page.reload();
  await says('Waiting for you to sign in at Interactive Brokers...');
  app.world.now = (app.world.now + 11 * MINUTE_MS) as Instant;
  await ask();
  await says(`${FAILED} The broker sign-in was not completed in time.`);
  await page.getByRole('button', { name: 'Click Here To Connect' }).waitFor();
});

test('a connection that cannot be begun, or not be asked about, says so and gives the button back', async () => {
  await chooseBroker();
  app.world.authorization = 'unreachable';
  await press('Click Here To Connect');
  const notice = page.getByRole('alert');
  await notice.waitFor();
  expect(await notice.innerText()).toBe('Failed to initiate Interactive Brokers connection');
  app.world.authorization = 'granted';
  await page.route(STATUS, (route) => route.abort());
  await begin();
  await ask();
  await says('Failed to verify connection status. We cannot reach the service.');
  await page.getByRole('button', { name: 'Click Here To Connect' }).waitFor();
});

test('it is asked for every 2000 ms how far the sign-in is, and not again while no answer has come', async () => {
  await chooseBroker();
  await stopClock(page);
  await page.reload();
  const button = page.getByRole('button', { name: 'Click Here To Connect' });
  await runUntil(page, () => button.isVisible());
  const asked = countRequests(page, STATUS);
  await begin();
  await page.getByText('No window? Open it here').waitFor();
  await page.clock.runFor(1_990);
  expect(asked()).toBe(0);
  await page.clock.runFor(10);
  await expect.poll(asked).toBe(1);
  // From now on no answer comes.
  await page.route(STATUS, () => undefined);
  await expect
    .poll(async () => {
      await page.clock.runFor(2_000);
      return asked();
    })
    .toBe(2);
  await page.clock.runFor(10_000);
  expect(asked()).toBe(2);
});

test('signing in again on the account page: refused, cancelled, then allowed', async () => {
  const { person } = await newDeployment(app);
  await app.records.pool.query(`update broker_connections set status = 'revoked' where user_id = $1`, [
    person.id,
  ]);
  await openWindow(person);
  await page.goto('/account?tab=brokers');
  await refuseAt(await begin('Sign in again'));
  await ask();
  await says(`${FAILED} You did not approve access at the broker.`);
  const popup = await begin('Sign in again');
  const closed = popup.waitForEvent('close');
  await press('Cancel');
  await closed;
  expect(await page.getByText(FAILED).count()).toBe(0);
  await allowAt(await begin('Sign in again'));
  await ask();
  await page.getByText('Connected', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Sign in again' }).count()).toBe(0);
});

import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { countRequests, failAt, personPage, runUntil, stopClock } from '#tests/support/person-page.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment, tradedDeployment } from '#tests/support/test-deployment.ts';
import {
  callbackOf,
  PASSWORD,
  readyPerson,
  signedInPerson,
  type TestPerson,
} from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { openWatchedPage, type WatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';

const browser = await launchBrowser();
afterAll(() => browser.close());

// States outside the main path: empty, failed, not found, refused, with the words of the specification; in a real browser
// on the real server, with scripted third parties.
const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const strategy = await publishedStrategy(app, { name: 'Calm Trend' });

async function visitor(): Promise<WatchedPage> {
  return openWatchedPage(browser, base);
}

async function signedIn(email: string): Promise<WatchedPage> {
  const watched = await visitor();
  await watched.page.goto('/login');
  await watched.page.getByLabel('Email Address').fill(email);
  await watched.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await watched.page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await watched.page.waitForURL('**/dashboard');
  return watched;
}

const says = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

test('the marketplace: nothing matches, failed, and tried again', async () => {
  const { page, context, violations } = await visitor();
  await page.goto('/marketplace');
  await page.getByPlaceholder('Search for strategies...').fill('no such thing');
  await says(page, 'No strategies match your criteria');
  await page.getByText('Try adjusting your filters or search term').waitFor();
  const mend = await failAt(page, '**/api/strategies/**');
  await page.goto('/marketplace');
  await says(page, 'Failed to load strategies. Please try again later.');
  expect(await violations()).toEqual([]);
  await mend();
  await page.getByRole('button', { name: 'Try Again' }).click();
  await page.getByRole('heading', { name: 'Calm Trend' }).waitFor();
  await context.close();
});

test('a strategy: not found, and failed, with the way back', async () => {
  const { page, context } = await visitor();
  await page.goto(`/strategy/${randomUUID()}`);
  await says(page, 'Strategy not found');
  await page.getByRole('link', { name: 'Back to Strategies' }).click();
  await page.waitForURL('**/marketplace');
  await failAt(page, `**/api/strategies/${strategy}/`);
  await page.goto(`/strategy/${strategy}`);
  await says(page, 'Failed to load strategy details');
  await context.close();
});

test('an unknown path shows home; the demo closes by Escape and locks the page behind it', async () => {
  const { page, context } = await visitor();
  await page.goto('/no/such/page');
  await page.getByRole('button', { name: 'View Demo' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.mouse.move(5, 450);
  await page.mouse.wheel(0, 900);
  await page.waitForTimeout(300);
  expect(await page.evaluate('window.scrollY')).toBe(0);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await context.close();
});

test('the theme is dark until it is switched, and stays as chosen', async () => {
  const { page, context } = await visitor();
  await page.goto('/');
  await page.getByRole('button', { name: 'Light theme' }).first().click();
  await page.reload();
  await page.getByRole('button', { name: 'Dark theme' }).first().waitFor();
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light');
  await context.close();
});

test('a new page begins at its top', async () => {
  const { page, context } = await visitor();
  await page.goto('/');
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
  await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click();
  await page.waitForURL('**/faq');
  await expect.poll(() => page.evaluate('window.scrollY')).toBe(0);
  await context.close();
});

test('a new user: the dashboard shows how to begin, the list says that nothing is deployed', async () => {
  const { email } = await signedInPerson(app);
  const { page, context, violations } = await signedIn(email);
  await page.getByRole('link', { name: 'Deploy Your First Strategy' }).waitFor();
  expect(await violations()).toEqual([]);
  await page.goto('/deployed-strategies');
  await says(page, 'No strategies deployed yet');
  await page.getByRole('link', { name: 'Browse AI Strategies' }).waitFor();
  await failAt(page, '**/api/deployments/');
  await page.reload();
  await says(page, 'Failed to load deployed strategies');
  await context.close();
});

test('a deployment: not found, failed, and a pause that failed leaves it trading', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  const { page, context } = await signedIn(person.email);
  await page.goto(`/deployed-strategies/${randomUUID()}`);
  await says(page, 'Deployment not found');
  await page.getByRole('link', { name: 'Back to Deployed Strategies' }).waitFor();
  await page.goto(`/deployed-strategies/${deploymentId}`);
  const pause = page.getByRole('button', { name: 'Pause Trading' });
  await pause.waitFor();
  await failAt(page, '**/pause/');
  await pause.click();
  await says(page, 'Trading was not paused');
  await pause.waitFor();
  await failAt(page, `**/api/deployments/${deploymentId}/`);
  await page.reload();
  await says(page, 'Failed to load deployment details');
  await context.close();
});

test('the account: details are locked, brokers connect only while deploying', async () => {
  const { person } = await tradedDeployment(app);
  const { page, context } = await signedIn(person.email);
  await page.goto('/account');
  expect(await page.getByLabel('Full Name').isDisabled()).toBe(true);
  expect(await page.getByLabel('Email Address').isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Your basic details are locked in with this account.').waitFor();
  await page.getByRole('tab', { name: 'Brokers' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
  await context.close();
});

test('a printed deployment lists every order, the screen the newest ten', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  await app.records.pool.query(
    `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
       quantity, limit_price, reference_price, status, decided_at)
     select gen_random_uuid(), d.id, d.broker_connection_id, n::text, n::text, 'rebalance', 1, 'SPY', 'buy', 1, 400, 400,
       'expired', now() from deployments d, generate_series(1, 38) n where d.id = $1`,
    [deploymentId],
  );
  const page = await personPage(browser, base, person);
  await page.goto(`/deployed-strategies/${deploymentId}`);
  const rows = page.getByRole('table', { name: 'Trades History' }).locator('tbody tr');
  await page.getByRole('button', { name: 'Show 25 more of 40' }).waitFor();
  await expect.poll(() => rows.count()).toBe(10);
  await page.evaluate(`addEventListener('beforeprint', () => {
    globalThis.printed = [...document.querySelectorAll('table')].map((table) => table.tBodies[0].rows.length);
  })`);
  await page.pdf();
  expect(await page.evaluate('globalThis.printed')).toContain(40);
  await expect.poll(() => rows.count()).toBe(10);
  await page.context().close();
});

// Connecting a broker when it goes wrong: refused there, cancelled here, abandoned, or unreachable. In a real browser on the
// real server; the test plays the broker's window, the server the way back.
describe('a broker connection', async () => {
  const app = await testApp({ webRoot: WEB_ROOT });
  const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
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
  async function chooseBroker(): Promise<TestPerson> {
    app.world.accountId = `DU${randomUUID().slice(0, 7)}`;
    const person = await readyPerson(app);
    await openWindow(person);
    await page.goto(`/strategy/${strategy}/deploy`);
    await page.getByRole('radio', { name: /Interactive Brokers/ }).check();
    await press(/^Connect to Interactive Brokers/);
    await page.getByRole('button', { name: 'Click Here To Connect' }).waitFor();
    return person;
  }

  /** Presses the button, and returns the broker's window once it is open. */
  async function begin(button = 'Click Here To Connect'): Promise<Page> {
    // The clock decides which attempt is the newest, and it does not run unless moved.
    app.world.now = (app.world.now + 1) as Instant;
    const opened = page.waitForEvent('popup');
    await press(button);
    const popup = await opened;
    await popup.waitForURL('http://broker.test/**');
    return popup;
  }

  /** What the broker's page does when the person refuses or allows. */
  const refuseAt = (popup: Page) => {
    const back = new URL(callbackOf(popup.url()), base);
    back.searchParams.delete('oauth_verifier');
    return app.request({ method: 'GET', url: back.pathname + back.search });
  };
  const allowAt = (popup: Page) => app.request({ method: 'GET', url: callbackOf(popup.url()) });
  /** Makes the next status poll come at once. */
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

  test('several accounts are offered, and the one that is chosen is connected', async () => {
    const person = await chooseBroker();
    app.world.accountId = `DU${randomUUID().slice(0, 7)}`;
    app.world.otherAccounts = [
      { accountId: 'DU7654321' as BrokerAccountId, title: 'Savings', currency: 'USD' },
      { accountId: 'DU5550001' as BrokerAccountId, title: 'Euro account', currency: 'EUR' },
    ];
    await allowAt(await begin());
    app.world.otherAccounts = [];
    await ask();
    const savings = page.getByRole('radio', { name: /Savings ••••4321 USD Paper money/ });
    await savings.waitFor();
    expect(await page.getByRole('radio', { name: /Euro account/ }).isDisabled()).toBe(true);
    const use = page.getByRole('button', { name: 'Connect this account' });
    expect(await use.isDisabled()).toBe(true);
    await savings.check();
    await use.click();
    await page.getByLabel('Investment Amount').waitFor();
    const { body } = await app.request({ url: '/api/broker-connections/', token: person.token });
    const active = body.filter((one: { connection_status: string }) => one.connection_status === 'active');
    expect(active.map((one: { account_id: string }) => one.account_id)).toContain('••••4321');
  });

  test('Cancel closes the window and stops polling, without reporting a failure', async () => {
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

  test('an abandoned sign-in stays pending, also after a reload, and its expiry is reported', async () => {
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

  test('a connection that cannot be started or polled says so and shows the button again', async () => {
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

  test('the sign-in is polled every 2000 ms, and not again while an answer is pending', async () => {
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
});

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrokerSessionState, SESSION_STATES } from '#engine/execution/connection/session-state.ts';
import { saveBrokerSession } from '#records/brokerage/broker-sessions.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { liftKillSwitch, setKillSwitch } from '#records/operations/kill-switches.ts';
import { sessionText } from '#rules/brokerage/session-state.ts';
import { tradingHaltedText } from '#rules/deployments/trading-halted-text.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { setStatus } from '#tests/support/deployment-commands.ts';
import { countRequests, personPage, runUntil, stopClock } from '#tests/support/person-page.ts';
import { cashOf, reportCash, testApp } from '#tests/support/test-app.ts';
import { type DeployedPerson, tradedDeployment } from '#tests/support/test-deployment.ts';
import {
  answersOf,
  PASSWORD,
  readyPerson,
  signedInPerson,
  type TestPerson,
} from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { openWatchedPage, type WatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';
import type { BrokerConnectionId, NotificationId, UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { marketInstantOf, parseWallInstant, wallAfter } from '#units/wall-instant.ts';

const browser = await launchBrowser();
afterAll(() => browser.close());

// Actions that the service refuses: the reason is shown, the person's input stays, and the page shows the true state. In a
// real browser on the real server, which refuses for real reasons; only the network is broken by hand.
const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const strategy = await publishedStrategy(app);
let page: Page;
afterEach(() => page.context().close());

const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
const UNREACHABLE = 'We cannot reach the service. Check your connection and try again.';

/** The wizard at its last step, with an amount and a limit that the person chose. */
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

test('a refused deployment shows the reason, keeps the settings, and can be tried again', async () => {
  const person = await walkToConfirmation();
  await reportCash(app, cashOf(100));
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
  await reportCash(app, cashOf(1_000_000));
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

test('a deployment whose answer is lost is reported, survives a reload, and is not doubled by a second press', async () => {
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
  // This time the request arrives and only its answer is lost.
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

test('settings that are not saved show the reason, keep the input, and the page shows the valid ones', async () => {
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

test('marking as read reverts when the service refuses it', async () => {
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

test('offline, an action fails at once with a sentence, and is not sent later', async () => {
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

test('a request without an answer ends after twenty seconds, and can be tried again', async () => {
  page = await personPage(browser, base, await signedInPerson(app));
  await stopClock(page);
  const deployments = '**/api/deployments/';
  await page.route(deployments, () => undefined);
  const asked = page.waitForRequest(deployments);
  await page.goto('/deployed-strategies');
  await runUntil(page, () => page.getByText('Loading your strategies').first().isVisible());
  await asked;
  await page.clock.runFor(20_000);
  // The page is drawn in a task of its own.
  await page.clock.runFor(100);
  await says('Failed to load deployed strategies');
  await page.unroute(deployments);
  await press('Try Again');
  await runUntil(page, () => page.getByText('No strategies deployed yet').isVisible());
});

test('signing starts 1000 ms after the request, and a failed start is reported', async () => {
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

// How the product shows the connection to the broker in each of its states, and what the person can do about it; in a real
// browser on the real server, with scripted third parties. SCREENSHOTS names a folder for pictures.
describe('guardian', async () => {
  const app = await testApp({ webRoot: WEB_ROOT });
  const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const SINCE = parseWallInstant('2026-01-05T15:00:00Z');

  let deployed: DeployedPerson;
  let watched: WatchedPage;
  let page: Page;
  let connectionId: BrokerConnectionId;

  beforeAll(async () => {
    deployed = await tradedDeployment(app);
    const { person, deploymentId } = deployed;
    const { body } = await app.request({ url: `/api/deployments/${deploymentId}/`, token: person.token });
    connectionId = body.broker_connection;
    watched = await openWatchedPage(browser, base);
    page = watched.page;
    await page.goto('/login');
    await page.getByLabel('Email Address').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL('**/dashboard');
  });

  async function see(state: BrokerSessionState): Promise<void> {
    const until = state === 'reset_window' ? wallAfter(SINCE, 3_600_000) : null;
    const seen = { connectionId, state, since: SINCE, detail: '', until, reconciledAt: SINCE };
    await app.records.database
      .transaction()
      .execute((trx) => saveBrokerSession(trx, seen, marketInstantOf(SINCE)));
  }

  async function keepPictures(name: string): Promise<void> {
    const folder = process.env.SCREENSHOTS;
    if (folder === undefined) return;
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const theme of ['dark', 'light']) {
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        await page.waitForTimeout(200);
        await page.screenshot({ path: path.join(folder, `guardian-${name}-${theme}-${width}.png`) });
      }
    }
  }

  test.each(SESSION_STATES.filter((state) => state !== 'connected'))(
    '%s appears on every page with the deployment, with its meaning and the next step',
    async (state) => {
      await see(state);
      const { title, meaning, nextStep } = sessionText(state, 'Interactive Brokers');
      const url = `/deployed-strategies/${deployed.deploymentId}`;
      await page.goto(url);
      const isMended = state === 'sign_in_due' || state === 'read_only';
      await page.getByText(`Broker connection: ${title.toLowerCase()}`).waitFor();
      await page.getByText(meaning).waitFor();
      if (nextStep !== null) await page.getByText(nextStep).waitFor();
      const again = page.getByRole('link', { name: 'Sign in again' });
      await expect.poll(() => again.count()).toBe(isMended ? 1 : 0);
      expect(await watched.violations()).toEqual([]);
      await keepPictures(state);
      for (const list of ['/dashboard', '/deployed-strategies']) {
        await page.goto(list);
        await page.getByText(`Broker: ${title.toLowerCase()}.`).waitFor();
        await keepPictures(`${state}${list.replace('/', '-')}`);
      }
      await page.goto('/account?tab=brokers');
      await page.getByText(meaning).waitFor();
      await expect
        .poll(() => page.getByRole('button', { name: 'Sign in again' }).count())
        .toBe(isMended ? 1 : 0);
      await keepPictures(`${state}-account`);
    },
  );

  test('a healthy connection shows no message', async () => {
    await see('connected');
    await page.goto(`/deployed-strategies/${deployed.deploymentId}`);
    await page.getByText('Active Positions').first().waitFor();
    expect(await page.getByText('Broker connection:').count()).toBe(0);
  });

  test('a halt by the provider shows on the deployment until it is lifted', async () => {
    const { database } = app.records;
    const id = randomUUID();
    const because = 'the broker has reported a fault';
    await setKillSwitch(database, {
      id,
      scope: 'client',
      target: deployed.person.id,
      cancelsWorking: false,
      because,
      setBy: 'staff@example.test',
    });
    await page.goto(`/deployed-strategies/${deployed.deploymentId}`);
    await page.getByText(tradingHaltedText(because)).waitFor();
    await keepPictures('halted');
    await liftKillSwitch(database, { id, by: 'staff@example.test' });
    await page.reload();
    await page.getByText('Active Positions').first().waitFor();
    expect(await page.getByText(tradingHaltedText(because)).count()).toBe(0);
  });

  test('the action on a silent broker is chosen in the settings and shown among the limits', async () => {
    await page.goto(`/deployed-strategies/${deployed.deploymentId}?tab=limits`);
    await page.getByText('Wait, then continue as before').waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('If your broker does not respond').selectOption('Close everything after 4 hours');
    await page
      .getByText('If your broker does not respond for 4 hours or more, all positions are sold')
      .waitFor();
    expect(await watched.violations()).toEqual([]);
    await keepPictures('choice');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByRole('definition').filter({ hasText: 'Close everything after 4 hours' }).waitFor();
    expect(watched.takeErrors()).toEqual([]);
  });
});

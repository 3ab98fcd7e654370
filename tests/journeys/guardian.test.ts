// What a person sees of the connection to their broker in each of its states, and what they can do about it; in a real
// browser on the real server between scripted outsides. SCREENSHOTS names a folder to keep pictures in.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveBrokerSession } from '#records/brokerage/broker-sessions.ts';
import { liftKillSwitch, setKillSwitch } from '#records/operations/kill-switches.ts';
import { type BrokerSessionState, SESSION_STATES } from '#engine/execution/connection/session-state.ts';
import { sessionText } from '../../src/rules/brokerage/session-state.ts';
import { tradingHaltedText } from '../../src/rules/deployments/trading-halted-text.ts';
import type { BrokerConnectionId } from '../../src/units/identifiers.ts';
import { instant, parseInstant } from '../../src/units/instant.ts';
import { launchBrowser } from '../support/browser.ts';
import { testApp } from '../support/test-app.ts';
import { type DeployedPerson, tradedDeployment } from '../support/test-deployment.ts';
import { PASSWORD } from '../support/test-person.ts';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.ts';
import { WEB_ROOT } from '../support/web-root.ts';

const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser: Browser = await launchBrowser();
afterAll(() => browser.close());
const SINCE = parseInstant('2026-01-05T15:00:00Z');

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
  const until = state === 'reset_window' ? instant(SINCE + 3_600_000) : null;
  const seen = { connectionId, state, since: SINCE, detail: '', until, reconciledAt: SINCE };
  await app.records.database.transaction().execute((trx) => saveBrokerSession(trx, seen, SINCE));
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
  '%s is told on every page with the deployment, with what it means and what to do',
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

test('a connection that stands is not talked about', async () => {
  await see('connected');
  await page.goto(`/deployed-strategies/${deployed.deploymentId}`);
  await page.getByText('Active Positions').first().waitFor();
  expect(await page.getByText('Broker connection:').count()).toBe(0);
});

test('a halt by the provider is told on the deployment until it is lifted', async () => {
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

test('what a silent broker leads to is chosen in the settings and shown among the limits', async () => {
  await page.goto(`/deployed-strategies/${deployed.deploymentId}`);
  await page.getByText('Wait, then continue as before').waitFor();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('If your broker does not respond').selectOption('Close everything after 4 hours');
  await page
    .getByText('If your broker does not respond for 4 hours or more, all positions are sold')
    .waitFor();
  expect(await watched.violations()).toEqual([]);
  await keepPictures('choice');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Close everything after 4 hours').waitFor();
  expect(watched.takeErrors()).toEqual([]);
});

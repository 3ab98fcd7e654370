// `node scripts/run.mjs guardian-screenshots`: the whole product with a brokerage that fails on command, one way after the
// other, and pictures of the person's screen in each case, in both themes on a phone and on a desktop, in screenshots/.
// Where a sign-in is due, the person signs in again in the browser and the connection is up.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { Deployment } from '../../src/contract/deployments.ts';
import { DEMO_EMAIL, DEMO_PASSWORD } from '../../src/processes/demo-world/demo-account/demo-user.ts';
import { signIn } from '../../src/processes/demo-world/demo-account/person.ts';
import { recallSandboxPort } from '#processes/demo-world/sandbox-port.ts';
import type { BrokerSessionState } from '#engine/execution/connection/session-state.ts';
import { sessionText } from '../../src/rules/brokerage/session-state.ts';
import { launchBrowser } from '../support/browser.ts';
import { productHome } from '../support/product.ts';
import { sandboxClock } from '../support/sandbox-clock.ts';

const folder = path.resolve(import.meta.dirname, '../../screenshots');
/** The trader checks a quiet connection twice a minute. */
const SEEN_WITHIN_S = 150;

const home = await productHome();
const clock = sandboxClock(home.dataDir);
let browser: Browser | undefined;
try {
  await home.start({ SANDBOX_DAY_SECONDS: '86400' });
  browser = await launchBrowser();
  await walk(browser);
} finally {
  await browser?.close();
  await home.remove();
}

async function walk(opened: Browser): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const person = await signIn(home.baseUrl, {
    email: DEMO_EMAIL,
    password: DEMO_PASSWORD,
    firstName: 'Demo',
  });
  const first = async () => (await person.call<Deployment[]>('GET', '/api/deployments/'))[0]!;
  const page = await openSignedIn(opened);
  const becomes = async (state: BrokerSessionState) => {
    let last: Deployment | undefined;
    for (let second = 0; second < SEEN_WITHIN_S; second++) {
      last = await first();
      if (last.broker_session?.state === state) return last.id;
      await sleep(1_000);
    }
    throw new Error(`never ${state}: ${JSON.stringify(last?.broker_session)}`);
  };
  const show = async (state: BrokerSessionState) => {
    const id = await becomes(state);
    await sleep(5_000);
    await page.goto(`/deployed-strategies/${id}`);
    const { title } = sessionText(state, 'Interactive Brokers');
    await page.getByText(`Broker connection: ${title.toLowerCase()}`).waitFor();
    await keepPictures(page, state);
    console.log(`${state}: shown`);
  };
  const afterCalm = async (rules: readonly object[], state: BrokerSessionState) => {
    await becomes('connected');
    await faults({ rules });
    await show(state);
    await faults({});
  };

  const connected = await becomes('connected');
  await page.goto(`/deployed-strategies/${connected}`);
  await keepPictures(page, 'connected');
  console.log('connected: shown, with nothing to say');
  await afterCalm([{ on: 'session', fault: { kind: 'competing' } }], 'competing');
  await faults({ rules: [{ on: 'any', fault: { kind: 'competing_ends' } }] });
  await becomes('connected');
  await afterCalm([{ on: 'session', fault: { kind: 'trading_forbidden' } }], 'read_only');
  await faults({ rules: [{ on: 'any', fault: { kind: 'trading_allowed' } }] });
  await becomes('connected');
  await afterCalm(
    [
      { on: 'any', times: 1, fault: { kind: 'token_lost' } },
      { on: 'token', fault: { kind: 'status', status: 401 } },
    ],
    'sign_in_due',
  );
  await signInAtBroker(page);
  await becomes('connected');
  console.log('connected again after a sign-in in the browser');
  await afterCalm([{ on: 'any', fault: { kind: 'status', status: 503 } }], 'lost');
  await afterCalm([{ on: 'orders', fault: { kind: 'html' } }], 'degraded');
  await becomes('connected');
  await clock.advanceTo(`${await nextTradingEvening()}T04:50:00Z`);
  await faults({ resets: true });
  await show('reset_window');
}

async function faults(script: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${recallSandboxPort(home.dataDir)}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(script),
  });
  if (!answer.ok) throw new Error(`faults: ${answer.status} ${await answer.text()}`);
}

/** The UTC date whose first hours are the evening of a Monday to Thursday in New York. */
async function nextTradingEvening(): Promise<string> {
  const day = new Date(await clock.now());
  do day.setUTCDate(day.getUTCDate() + 1);
  while (day.getUTCDay() < 2 || day.getUTCDay() > 5);
  return day.toISOString().slice(0, 10);
}

async function openSignedIn(opened: Browser): Promise<Page> {
  const context = await opened.newContext({
    baseURL: home.baseUrl,
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(DEMO_EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
  return page;
}

async function keepPictures(page: Page, state: BrokerSessionState): Promise<void> {
  for (const theme of ['dark', 'light']) {
    await page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme);
    for (const [width, size] of [
      ['phone', 390],
      ['desk', 1440],
    ] as const) {
      await page.setViewportSize({ width: size, height: 900 });
      await page.reload();
      if (state === 'connected') await page.getByText('Active Positions').first().waitFor();
      else await page.getByText('Broker connection:').waitFor();
      await page.screenshot({ path: path.join(folder, `guardian-${state}-${theme}-${width}.png`) });
    }
  }
}

/** Through the broker's own window, as a person does it. */
async function signInAtBroker(page: Page): Promise<void> {
  await page.goto('/account?tab=brokers');
  const opens = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Sign in again' }).click();
  const window = await opens;
  await window.getByLabel('User name', { exact: true }).fill('demo');
  await window.getByLabel('Password', { exact: true }).fill('demo');
  await window.getByRole('button', { name: 'Sign in' }).click();
  await window.getByRole('button', { name: 'Approve' }).click();
}

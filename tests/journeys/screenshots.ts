// `npm run screenshots -- [address]`: every screen of a running product, both themes, phone and desk width, into
// screenshots/. Signs in as the demo account. Reports console errors, which no page may have.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { DEMO_EMAIL, DEMO_PASSWORD } from '../../src/processes/demo-world/demo-account/demo-user.ts';
import { pretend } from '../quality/visitors.ts';
import { launchBrowser } from '../support/browser.ts';

const baseUrl = process.argv[2] ?? process.env.BASE_URL ?? 'http://localhost:3000';
const only = process.argv[3];
const folder = path.resolve(import.meta.dirname, '../../screenshots');
const WIDTHS = { phone: 390, desk: 1440 } as const;

type Screen = { name: string; path: string; signedIn?: true; support?: true };

async function listScreens(): Promise<Screen[]> {
  const answer = await fetch(`${baseUrl}/api/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: DEMO_EMAIL, password: DEMO_PASSWORD }),
  });
  const { token } = (await answer.json()) as { token: string };
  const get = async (address: string) =>
    (await (await fetch(baseUrl + address, { headers: { authorization: `Bearer ${token}` } })).json()) as {
      id: string;
    }[];
  const strategy = (await get('/api/strategies/'))[0]?.id;
  const deployment = (await get('/api/deployments/'))[0]?.id;
  const payment = (await get('/api/billing/payments/'))[0]?.id;
  const draft = (await get('/api/strategies/drafts/'))[0]?.id ?? (await buildDraft(token));
  return [
    { name: 'home', path: '/' },
    { name: 'marketplace', path: '/marketplace' },
    { name: 'strategy', path: `/strategy/${strategy}` },
    { name: 'login', path: '/login' },
    { name: 'broker-documentation', path: '/broker-documentations' },
    { name: 'faq', path: '/faq' },
    { name: 'hypothetical-disclosures', path: '/hypothetical-performance-disclosures' },
    { name: 'legal', path: '/legal-disclosures' },
    { name: 'privacy', path: '/privacy-policy' },
    { name: 'terms', path: '/terms-of-use' },
    { name: 'cookies', path: '/cookie-policy' },
    { name: 'aml', path: '/aml-program' },
    { name: 'dashboard', path: '/dashboard', signedIn: true },
    { name: 'deployed', path: '/deployed-strategies', signedIn: true },
    { name: 'deployment', path: `/deployed-strategies/${deployment}`, signedIn: true },
    { name: 'deploy', path: `/strategy/${strategy}/deploy`, signedIn: true },
    { name: 'account', path: '/account', signedIn: true },
    { name: 'plans', path: '/account?plans=open', signedIn: true },
    { name: 'billing', path: '/billing?plan=enterprise&interval=yearly', signedIn: true },
    { name: 'receipt', path: `/billing?receipt=${payment}`, signedIn: true },
    { name: 'custom-strategies', path: '/custom-strategies', signedIn: true },
    { name: 'operations', path: '/operations', signedIn: true, support: true },
    { name: 'strategy-new', path: `/strategy/new?draft=${draft}`, signedIn: true },
  ];
}

/** A draft of the demo account with its backtest done, or as far as it got in a minute. */
async function buildDraft(token: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const description = 'Trend-following crypto: Bitcoin and Ethereum above their 50-day average';
  const answer = await fetch(`${baseUrl}/api/strategies/builder/`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ mode: 'ai', description }),
  });
  const { draft, backtest } = (await answer.json()) as { draft?: { id: string }; backtest?: { id: string } };
  if (!backtest) return draft?.id;
  for (let second = 0; second < 60; second++) {
    const job = await fetch(`${baseUrl}/api/backtests/${backtest.id}/`, { headers });
    if (((await job.json()) as { status: string }).status === 'done') break;
    await sleep(1_000);
  }
  return draft?.id;
}

async function shoot(
  browser: Browser,
  screens: readonly Screen[],
  theme: 'dark' | 'light',
  width: keyof typeof WIDTHS,
) {
  const context = await browser.newContext({
    viewport: { width: WIDTHS[width], height: width === 'phone' ? 844 : 900 },
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  await context.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  let signedIn = false;
  for (const screen of screens.toSorted(
    (a, b) => Number(a.signedIn ?? false) - Number(b.signedIn ?? false),
  )) {
    if (screen.signedIn && !signedIn) {
      await signIn(page);
      signedIn = true;
    }
    if (screen.support) await pretend(context, 'support');
    await page.goto(baseUrl + screen.path, { waitUntil: 'load' });
    await page.waitForTimeout(1_500);
    await page.screenshot({
      path: path.join(folder, `${screen.name}-${theme}-${width}.png`),
      fullPage: true,
    });
    if (screen.support) await context.unrouteAll({ behavior: 'ignoreErrors' });
    for (const error of errors.splice(0)) console.error(`${screen.path} (${theme}, ${width}): ${error}`);
  }
  await context.close();
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${baseUrl}/login`, { waitUntil: 'load' });
  await page.getByLabel('Email Address').fill(DEMO_EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
}

mkdirSync(folder, { recursive: true });
const screens = (await listScreens()).filter((screen) => only === undefined || screen.name === only);
const browser = await launchBrowser();
for (const theme of ['dark', 'light'] as const) {
  for (const width of ['phone', 'desk'] as const) await shoot(browser, screens, theme, width);
}
await browser.close();
console.log(`${screens.length * 4} screenshots in screenshots/`);

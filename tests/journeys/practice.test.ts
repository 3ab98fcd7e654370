// Practice in a browser, from the wizard to the promotion to the sandbox broker, by the demo's owner.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Deployment } from '#contract/deployments.ts';
import { DEMO_EMAIL, DEMO_PASSWORD } from '#processes/seed/demo-account.ts';
import { launchBrowser } from '../support/browser.ts';
import { type ProductHome, productHome } from '../support/product.ts';
import { walkInSteps } from '../support/steps.ts';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.ts';

const WEB = path.resolve(import.meta.dirname, '../../src/web/dist/index.html');
const STRATEGY = 'Compass Trend';
const AMOUNT = 11_000;

let home: ProductHome;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let practice = '';
let invested = '';

beforeAll(async () => {
  if (!existsSync(WEB)) throw new Error('the web app is not built: npm test builds it first');
  home = await productHome();
  browser = await launchBrowser();
  await home.start({ SANDBOX_DAY_SECONDS: '10' });
  watched = await openWatchedPage(browser, home.baseUrl);
  page = watched.page;
}, 320_000);

afterAll(async () => {
  await browser?.close();
  await home?.remove();
}, 60_000);

const step = walkInSteps({ timeout: 240_000 });
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();
const idOfPage = () => page.url().split('/').at(-1)!;

async function pageIsSound(): Promise<void> {
  expect(await watched.violations()).toEqual([]);
  expect(watched.takeErrors()).toEqual([]);
}

async function read<Answer>(address: string): Promise<Answer> {
  const token = await page.evaluate<string>(`localStorage.getItem('token')`);
  const answer = await fetch(home.baseUrl + address, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status, address).toBe(200);
  return (await answer.json()) as Answer;
}

const investedOnDashboard = async () => {
  await page.goto('/dashboard');
  const figures = page.getByRole('region', { name: 'Portfolio figures' });
  await figures.waitFor();
  return figures.locator('dl').last().locator('dd').last().innerText();
};

step('chooses practice in the wizard, which asks for no broker', async () => {
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(DEMO_EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('tabpanel').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
  invested = await investedOnDashboard();
  await page.goto('/marketplace');
  await page
    .getByRole('link', { name: new RegExp(STRATEGY) })
    .first()
    .click();
  await page.getByRole('link', { name: 'Deploy Now' }).first().click();
  await page.getByRole('radio', { name: 'Practice' }).click();
  await heading(`Practise ${STRATEGY}`);
  expect(await page.getByRole('listitem').filter({ hasText: 'Select Broker' }).count()).toBe(0);
  await page.getByLabel('Practice money').fill(String(AMOUNT));
  await pageIsSound();
  await press('Review Deployment');
  await press('Start Practising');
  await page.waitForURL('**/deployed-strategies/*');
  practice = idOfPage();
});

step('sees it trade, marked as practice', async () => {
  await page.getByText('Practice money', { exact: true }).first().waitFor();
  await expect
    .poll(async () => (await read<Deployment>(`/api/deployments/${practice}/`)).total_trades, {
      timeout: 200_000,
    })
    .toBeGreaterThan(0);
  const shown = await read<Deployment>(`/api/deployments/${practice}/`);
  expect(shown).toMatchObject({ mode: 'practice', investment_amount: AMOUNT });
  await pageIsSound();
});

step('finds its money in no total of the dashboard', async () => {
  expect(await investedOnDashboard()).toBe(invested);
  await heading('Practice');
  await pageIsSound();
});

step('promotes it with two clicks, and it goes on as a shadow', async () => {
  await page.goto(`/deployed-strategies/${practice}`);
  await press('Promote');
  await heading('Trade this strategy at your broker');
  await pageIsSound();
  await press(/^Deploy \$11,000/);
  await page.waitForURL(
    (url) => /deployed-strategies\/[^/]+$/.test(url.pathname) && !url.href.endsWith(practice),
  );
  await page.getByText('A practice shadow goes on beside it').waitFor();
  const real = await read<Deployment>(`/api/deployments/${idOfPage()}/`);
  expect(real).toMatchObject({ shadow: practice, investment_amount: AMOUNT });
  expect(real.mode).not.toBe('practice');
  await pageIsSound();
});

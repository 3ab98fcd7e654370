// A person attacks a draft in a browser on the whole product: with progress that outlives a reload, and a verdict that stays.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { INVESTOR_PASSWORD, makeInvestor } from '#tests/support/investor.ts';
import { type ProductHome, productHome, READY_WITHIN_MS } from '#tests/support/product.ts';
import { walkInSteps } from '#tests/support/steps.ts';
import { openWatchedPage, type WatchedPage } from '#tests/support/watched-page.ts';

const WEB = path.resolve(import.meta.dirname, '../../src/web/dist/index.html');
const email = `attila-${Date.now()}@attack.example`;

let home: ProductHome;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  if (!existsSync(WEB)) throw new Error('the web app is not built: npm test builds it first');
  home = await productHome();
  browser = await launchBrowser();
  await home.start();
  watched = await openWatchedPage(browser, home.baseUrl);
  page = watched.page;
}, READY_WITHIN_MS);

afterAll(async () => {
  await browser?.close();
  await home?.remove();
}, 60_000);

const step = walkInSteps({ timeout: 240_000 });
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();

async function pageIsSound(): Promise<void> {
  expect(await violationsInEveryLook(watched)).toEqual([]);
  expect(watched.takeErrors()).toEqual([]);
}

step('an investor signs in and builds a draft, which says how many tries count', async () => {
  await makeInvestor(home.baseUrl, email);
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(INVESTOR_PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
  await page.goto('/custom-strategies');
  await page.getByRole('radio', { name: 'AI Builder' }).click();
  await page.getByRole('button', { name: 'Trend-following crypto' }).click();
  await press('Create Strategy');
  await page.waitForURL('**/strategy/new?draft=*');
  await page.getByRole('button', { name: 'Attack this strategy' }).first().waitFor({ timeout: 120_000 });
  await page.getByRole('tab', { name: 'Evidence' }).click();
  await page.getByText(/^You tried 1 rule of this kind \(.+\) on coins, over 1 draft\.$/).waitFor();
});

step('the attack goes on through a reload, and its verdict stays with what each attack found', async () => {
  await press('Attack this strategy');
  await page.getByText(/^Attack (queued|running)/).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Attack again' }).waitFor({ timeout: 180_000 });
  const table = page.getByRole('table', { name: 'What each attack found' });
  for (const name of ['Luck of all tries', 'Double costs', 'Random entries', 'Other instruments'])
    await table.getByText(name, { exact: true }).waitFor();
  expect(await table.getByRole('row').count()).toBe(10);
  await table.getByText('These prices are simulated').waitFor();
  await pageIsSound();
  await page.getByRole('tab', { name: 'Evidence' }).click();
  await page.getByText(/were neighbours of the rules, run to test them\.$/).waitFor();
  await pageIsSound();
  await page.getByRole('tab', { name: 'Attack' }).click();
  await page.reload();
  await table.getByText('Unseen days', { exact: true }).waitFor();
});

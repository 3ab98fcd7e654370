// The states that the main path never meets: nothing there, failed, not found, refused, with the words that the
// specification gives them; in a real browser on the real server between scripted outsides.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { failAt, personPage } from '../support/person-page.ts';
import { testApp } from '../support/test-app.ts';
import { tradedDeployment } from '../support/test-deployment.ts';
import { PASSWORD, signedInPerson } from '../support/test-person.ts';
import { publishedStrategy } from '../support/test-strategy.ts';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.ts';

const app = await testApp({ webRoot: path.resolve(import.meta.dirname, '../../src/web/dist') });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser: Browser = await launchBrowser();
afterAll(() => browser.close());
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

test('somebody new: the dashboard shows how to begin, the list says that nothing is deployed', async () => {
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

test('on paper a deployment lists every order, on screen the newest twenty-five of them', async () => {
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
  await page.getByRole('button', { name: 'Show 15 more of 40' }).waitFor();
  await expect.poll(() => rows.count()).toBe(25);
  await page.evaluate(`addEventListener('beforeprint', () => {
    globalThis.printed = [...document.querySelectorAll('table')].map((table) => table.tBodies[0].rows.length);
  })`);
  await page.pdf();
  expect(await page.evaluate('globalThis.printed')).toContain(40);
  await expect.poll(() => rows.count()).toBe(25);
  await page.context().close();
});

// The frame of every page: menus, footer, messages, and what happens when the page or the session breaks.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { countRequests, failAt, personPage, runUntil, stopClock } from '../support/person-page.ts';
import { testApp } from '../support/test-app.ts';
import { newDeployment, tradedDeployment } from '../support/test-deployment.ts';
import { PASSWORD, signedInPerson, type TestPerson } from '../support/test-person.ts';
import { publishedStrategy } from '../support/test-strategy.ts';

const app = await testApp({ webRoot: path.resolve(import.meta.dirname, '../../src/web/dist') });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser = await launchBrowser();
afterAll(() => browser.close());
const strategy = await publishedStrategy(app, { name: 'Calm Trend' });

const windowOf = (person?: TestPerson) => personPage(browser, base, person);
const linksOf = (page: Page, landmark: 'contentinfo') =>
  page
    .getByRole(landmark)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

test('the user menu shows initial, first name and e-mail; without a name the initial is U', async () => {
  const person = await signedInPerson(app);
  const page = await windowOf(person);
  await page.goto('/dashboard');
  const menu = page.getByRole('button', { name: /^User menu/ });
  expect(await menu.innerText()).toBe('A');
  await menu.click();
  const panel = page.getByRole('region', { name: 'User menu' });
  await panel.getByText('Ada', { exact: true }).waitFor();
  await panel.getByText(person.email).waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });
  expect(await menu.evaluate((button) => button.matches(':focus'))).toBe(true);

  await app.records.pool.query(`update users set first_name = '' where id = $1`, [person.id]);
  await page.reload();
  await expect.poll(() => menu.innerText()).toBe('U');
  await page.context().close();
});

test('the footer links to sign-in for visitors and to their own pages for users', async () => {
  const visitor = await windowOf();
  await visitor.goto('/faq');
  expect(await linksOf(visitor, 'contentinfo')).toEqual(expect.arrayContaining(['/login', '/aml-program']));
  await visitor.context().close();
  const page = await windowOf(await signedInPerson(app));
  await page.goto('/faq');
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
  const links = await linksOf(page, 'contentinfo');
  expect(links).toEqual(expect.arrayContaining(['/dashboard', '/deployed-strategies']));
  expect(links).not.toContain('/login');
  await page.context().close();
});

test('on a phone the menu holds the same links, keeps the focus and gives it back', async () => {
  const page = await windowOf();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/faq');
  const open = page.getByRole('button', { name: 'Menu', exact: true });
  await open.click();
  const sheet = page.getByRole('dialog', { name: 'Menu' });
  await sheet.getByRole('link', { name: 'AI Model Marketplace' }).waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  expect(await open.evaluate((button) => button.matches(':focus'))).toBe(true);
  await open.click();
  await sheet.getByRole('link', { name: 'Sign In' }).click();
  await page.waitForURL('**/login');
  await page.context().close();
});

test('a message closes by itself after ten seconds, and not earlier', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  const page = await windowOf(person);
  await stopClock(page);
  await page.goto(`/deployed-strategies/${deploymentId}`);
  await failAt(page, '**/pause/');
  const pause = page.getByRole('button', { name: 'Pause Trading' });
  await runUntil(page, () => pause.isVisible());
  await pause.click();
  const message = page.getByRole('status').getByText('Trading was not paused');
  await runUntil(page, () => message.isVisible());
  await page.mouse.move(5, 5);
  await page.clock.runFor(9_500);
  expect(await message.isVisible()).toBe(true);
  await page.clock.runFor(1_000);
  await message.waitFor({ state: 'hidden' });
  await page.context().close();
});

test('the home page shows no list, and nothing invented, when the strategies cannot be read', async () => {
  const page = await windowOf();
  await failAt(page, '**/api/strategies/**');
  await page.goto('/');
  await expect.poll(() => page.getByText('Featured Strategies').count()).toBe(0);
  await says(page, 'How It Works');
  expect(await page.getByRole('link', { name: 'Calm Trend' }).count()).toBe(0);
  await page.context().close();
});

test('the wizard: loading, then not found with the way back', async () => {
  const page = await windowOf(await signedInPerson(app));
  const held = Promise.withResolvers<void>();
  await page.route(`**/api/strategies/${strategy}/`, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`/strategy/${strategy}/deploy`);
  await says(page, 'Loading deployment setup...');
  held.resolve();
  await says(page, 'Deploy Calm Trend');
  await page.goto(`/strategy/${randomUUID()}/deploy`);
  await says(page, 'Strategy not found');
  await page.getByRole('link', { name: 'Back to Marketplace' }).click();
  await page.waitForURL('**/marketplace');
  await page.context().close();
});

test('a deployment of two days or less says that there is too little to draw', async () => {
  const { person, deploymentId } = await newDeployment(app);
  const page = await windowOf(person);
  const words =
    /Insufficient data to show performance chart\. Deploy an AI-Model and wait for atleast 2 days/;
  await page.goto('/dashboard');
  await says(page, words);
  await page.goto(`/deployed-strategies/${deploymentId}`);
  await says(page, words);
  await page.context().close();
});

test("where the stream is not open the deployment is read every five seconds, and says 'Refreshing..'", async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  const page = await windowOf(person);
  await page.route('**/api/stream/', (route) => route.fulfill({ status: 503 }));
  await stopClock(page);
  await page.goto(`/deployed-strategies/${deploymentId}`);
  await runUntil(page, () => page.getByRole('button', { name: 'Pause Trading' }).isVisible());
  const reads = countRequests(page, new RegExp(`/api/deployments/${deploymentId}/$`));
  const held = Promise.withResolvers<void>();
  await page.route(`**/api/deployments/${deploymentId}/`, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.clock.runFor(4_500);
  expect(reads()).toBe(0);
  await page.clock.runFor(510);
  await says(page, 'Refreshing..');
  expect(reads()).toBe(1);
  held.resolve();
  await runUntil(page, () => page.getByText('Refreshing..').isHidden());
  await page.context().close();
});

test('where the stream is not open the notifications are read every fifteen seconds', async () => {
  const page = await windowOf(await signedInPerson(app));
  await page.route('**/api/stream/', (route) => route.fulfill({ status: 503 }));
  await stopClock(page);
  const reads = countRequests(page, /\/api\/notifications\/$/);
  await page.goto('/faq');
  const bell = page.getByRole('button', { name: 'Notifications', exact: true });
  await runUntil(page, () => bell.isVisible());
  await bell.click();
  await runUntil(page, () => page.getByText('No notifications').isVisible());
  expect(reads()).toBe(1);
  await page.clock.runFor(14_000);
  expect(reads()).toBe(1);
  await page.clock.runFor(1_010);
  await expect.poll(reads).toBe(2);
  await page.context().close();
});

test('a page that cannot be rendered says so, and other pages still work', async () => {
  const page = await windowOf();
  await page.goto('/marketplace');
  await page.route('**/assets/faq-*.js', (route) => route.abort());
  await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click();
  await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
  expect(await page.title()).toContain('Unexpected Application Error!');
  await page.goBack();
  await page.getByRole('heading', { name: 'AI Model Marketplace' }).waitFor();
  await page.context().close();
});

test('a session that cannot be checked is kept; an expired one leads to sign-in', async () => {
  const person = await signedInPerson(app);
  const page = await windowOf(person);
  await failAt(page, '**/api/auth/me/');
  await page.goto('/dashboard');
  await says(page, 'We cannot reach the service');
  await page.unroute('**/api/auth/me/');
  await page.getByRole('button', { name: 'Try Again' }).click();
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
  await page.evaluate(`localStorage.setItem('token', 'x.y.z'); localStorage.setItem('refreshToken', 'gone')`);
  await page.goto('/dashboard');
  await page.waitForURL('**/login');
  expect(await page.evaluate(`localStorage.getItem('token')`)).toBeNull();
  await page.context().close();
});

test('another window shows the next user nothing of the previous one', async () => {
  const [first, second] = [await signedInPerson(app), await signedInPerson(app)];
  const page = await windowOf(first);
  await page.goto('/dashboard');
  const other = await page.context().newPage();
  await other.goto('/account');
  expect(await other.getByLabel('Email Address').inputValue()).toBe(first.email);
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('**/login');
  await other.waitForURL('**/login');
  await page.getByLabel('Email Address').fill(second.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
  await other.waitForURL('**/account');
  await expect.poll(() => other.getByLabel('Email Address').inputValue()).toBe(second.email);
  await page.context().close();
});

test('a sign-out leaves nothing that was typed, in another window either; the theme stays', async () => {
  const person = await signedInPerson(app);
  const page = await windowOf(person);
  await page.goto('/dashboard');
  const other = await page.context().newPage();
  await other.goto('/account');
  const keptIn = (window: Page) => window.evaluate('Object.keys(sessionStorage)');
  await other.evaluate(
    `sessionStorage.setItem('deploy-draft:typed', '{"amountText":"5000"}'); localStorage.setItem('theme', 'light')`,
  );
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('**/login');
  await other.waitForURL('**/login');
  await expect.poll(() => keptIn(other)).toEqual([]);
  expect(await keptIn(page)).toEqual([]);
  expect(await page.evaluate('Object.keys(localStorage)')).toEqual(['theme']);
  await page.context().close();
});

test('the page turns no text into markup or code, asks nobody else, and frames nobody else', async () => {
  const page = await windowOf();
  await page.goto('/marketplace');
  const refused = (await page.evaluate(`(async () => {
    const outcome = async (act) => {
      try { await act(); return 'done'; } catch (error) { return error.name; }
    };
    const violated = [];
    document.addEventListener('securitypolicyviolation', (event) => violated.push(event.effectiveDirective));
    const frame = Object.assign(document.createElement('iframe'), { src: 'https://elsewhere.example/' });
    const outcomes = {
      markup: await outcome(() => (document.createElement('p').innerHTML = '<b>x</b>')),
      code: await outcome(() => (document.createElement('script').text = 'globalThis.hacked = true')),
      worker: await outcome(() => new Worker('https://elsewhere.example/worker.js')),
      policy: await outcome(() => trustedTypes.createPolicy('another', {})),
      connection: await outcome(() => fetch('https://elsewhere.example/')),
    };
    document.body.append(frame);
    for (let i = 0; i < 100 && !violated.includes('frame-src'); i++) await new Promise((resolve) => setTimeout(resolve, 20));
    return { outcomes, violated };
  })()`)) as { outcomes: Record<string, string>; violated: string[] };
  expect(refused.outcomes).toEqual({
    markup: 'TypeError',
    code: 'TypeError',
    worker: 'TypeError',
    policy: 'TypeError',
    connection: 'TypeError',
  });
  for (const directive of ['connect-src', 'frame-src', 'require-trusted-types-for', 'trusted-types'])
    expect(refused.violated).toContain(directive);
  await page.context().close();
});

test('notifications that cannot be read do not disturb the page', async () => {
  const page = await windowOf(await signedInPerson(app));
  await failAt(page, '**/api/notifications/**');
  const failed = page.waitForResponse('**/api/notifications/');
  await page.goto('/dashboard');
  await failed;
  // Opened when the failure has long been known: nothing will draw the bell again by itself.
  await page.waitForTimeout(500);
  await page.getByRole('button', { name: 'Notifications', exact: true }).click();
  await page.getByText('Notifications could not be loaded.').waitFor({ timeout: 5_000 });
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await page.getByRole('region', { name: 'Messages' }).getByRole('listitem').count()).toBe(0);
  await page.context().close();
});

test('the password button shows that it is busy while the call runs', async () => {
  const page = await windowOf(await signedInPerson(app));
  await page.route('**/api/auth/password/change/', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue();
  });
  await page.goto('/account?tab=security');
  const fields = page.locator('input[type=password]');
  await fields.first().waitFor();
  await fields.first().fill(PASSWORD);
  for (let i = 1; i < (await fields.count()); i++) await fields.nth(i).fill('another steady hand 7');
  await page.locator('form').getByRole('button', { name: 'Change Password' }).click();
  await page.getByRole('button', { name: 'Please Wait...' }).waitFor();
  await page.getByText('Please Wait...').waitFor({ state: 'hidden' });
  await page.context().close();
});

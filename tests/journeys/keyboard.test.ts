// The keys: Ctrl K goes anywhere, J and K move along a list.
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { personPage } from '../support/person-page.ts';
import { testApp } from '../support/test-app.ts';
import { tradedDeployment } from '../support/test-deployment.ts';
import { publishedStrategy } from '../support/test-strategy.ts';

const app = await testApp({ webRoot: path.resolve(import.meta.dirname, '../../src/web/dist') });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser = await launchBrowser();
afterAll(() => browser.close());
await publishedStrategy(app, { name: 'Slow Turn' });
await publishedStrategy(app, { name: 'Quick Turn' });

test('Ctrl K opens a strategy, a deployment and a page by a few letters, and Escape gives the focus back', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  const page = await personPage(browser, base, person);
  await page.goto('/dashboard');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const go = async (letters: string, option: RegExp) => {
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox', { name: /^Search pages/ });
    await box.fill(letters);
    await page.getByRole('option', { name: option, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await box.waitFor({ state: 'hidden' });
  };
  await go('quick', /^Quick Turn/);
  await page.waitForURL(/\/strategy\//);
  await go('deployment', /Deployment, active/);
  await page.waitForURL(`**/deployed-strategies/${deploymentId}`);
  await go('acc set', /^Account Settings/);
  await page.waitForURL('**/account');
  // A new page takes the focus once it is drawn.
  await page.locator('main:focus').waitFor();

  const bell = page.getByRole('button', { name: /^Notifications/ });
  await bell.focus();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search pages/ }).fill('qqqq');
  await page.getByText('Nothing is called “qqqq”').waitFor();
  await page.keyboard.press('Escape');
  await expect
    .poll(() => bell.evaluate((button) => button.matches(':focus')), { timeout: 20_000 })
    .toBe(true);
  await page.context().close();
});

test('J and K move along the marketplace, not while somebody types', async () => {
  const page = await personPage(browser, base);
  await page.goto('/marketplace');
  const focused = () => page.locator('[data-item]:focus h3').innerText();
  await page.getByRole('heading', { name: 'Quick Turn' }).waitFor();
  await page.keyboard.press('j');
  const first = await focused();
  await page.keyboard.press('j');
  expect(await page.locator('[data-item]:focus').getAttribute('href')).toBe(
    await page.locator('main [data-item]').nth(1).getAttribute('href'),
  );
  await page.keyboard.press('k');
  expect(await focused()).toBe(first);
  const search = page.getByRole('searchbox');
  await search.pressSequentially('jk');
  expect(await search.inputValue()).toBe('jk');
  await page.context().close();
});

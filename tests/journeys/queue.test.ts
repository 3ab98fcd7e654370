// A strategy that is full: what the marketplace, its page and the wizard say, the place in the queue, the way out, and its provider's
// desk; in a real browser on the real server.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { testApp } from '#tests/support/test-app.ts';
import { deployTo } from '#tests/support/test-deployment.ts';
import { PASSWORD, readyPerson, signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { openWatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser = await launchBrowser();
afterAll(() => browser.close());
const ESTIMATE = {
  kind: 'estimated',
  amount: 30_000,
  low: 13_000,
  high: 120_000,
  bound: 'impact',
  tradedPerYear: 9,
  orders: 120,
} as const;
const strategy = await publishedStrategy(app, { name: 'Narrow Market', capacity: ESTIMATE });

async function signedIn(email: string, at: string) {
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL(/\/(dashboard|operations|catalogue)/);
  await page.goto(at);
  return watched;
}

test('a full strategy says so, its queue has a place for new money, and whoever waits can leave', {
  timeout: 240_000,
}, async () => {
  await deployTo(app, strategy, 27_000);
  app.world.accountId = `DU${randomUUID().slice(0, 7)}`;
  const person = await readyPerson(app);
  const watched = await signedIn(person.email, '/marketplace');
  const { page } = watched;
  await page.getByText('Full: new money waits').first().waitFor();
  await page.goto(`/strategy/${strategy}`);
  const capacity = page.getByRole('region', { name: 'Capacity' });
  await capacity.getByText('$27,000 of $30,000 is in it.').waitFor();
  await capacity.getByText('its own orders would move prices too far').waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await page.goto(`/strategy/${strategy}/deploy`);
  await page.getByRole('radio', { name: /Interactive Brokers/ }).check();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.getByRole('button', { name: 'Use this account' }).click();
  await page.getByLabel('Investment Amount').fill('5000');
  await page.getByText('has room for $3,000. Your money waits in its queue').waitFor();
  await page.getByRole('button', { name: 'Review Deployment' }).click();
  await page.getByRole('button', { name: 'Deploy Strategy' }).click();
  await page.waitForURL(/\/deployed-strategies\/[^/]+$/);
  await page.getByText('Number 1 in the queue').waitFor();
  await page.getByText('You are next.').waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await page.getByRole('button', { name: 'Leave the Queue' }).click();
  await page.getByText('stopped next').waitFor();
  expect(watched.takeErrors()).toEqual([]);
  await watched.context.close();
});

test('the desk shows what is in it and who waits, and its provider takes less', {
  timeout: 120_000,
}, async () => {
  const staff = await signedInPerson(app);
  await giveRole(app.records, staff, 'provider');
  await deployTo(app, strategy, 8_000);
  const watched = await signedIn(staff.email, `/catalogue/${strategy}`);
  const { page } = watched;
  await page.getByText('One waits with $8,000.').waitFor();
  await page.getByLabel('Take no more than').fill('40000');
  await page.getByRole('button', { name: 'Save the Limit' }).click();
  await page.getByText('It is estimated to take $30,000: enter that or less.').waitFor();
  expect(watched.takeErrors().filter((line) => !line.includes('422'))).toEqual([]);
  await page.getByLabel('Take no more than').fill('20000');
  await page.getByRole('button', { name: 'Save the Limit' }).click();
  await page.getByText('$27,000 of $20,000 is in it.').waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await watched.context.close();
});

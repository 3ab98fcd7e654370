import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { openWatchedPage, type WatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

// What a person does for the security of their account, in a real browser on the real server.
const browser = await launchBrowser();
afterAll(() => browser.close());
const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });

const LONG = { timeout: 120_000 };

async function signIn({ page }: WatchedPage, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
}

test('a person sees where they are signed in and signs out the other device', LONG, async () => {
  const { email } = await signedInPerson(app);
  const [here, elsewhere] = [await openWatchedPage(browser, base), await openWatchedPage(browser, base)];
  for (const one of [here, elsewhere]) {
    await signIn(one, email);
    await one.page.waitForURL('**/dashboard');
  }
  const { page } = here;
  await page.goto('/account?tab=security');
  const sessions = page.getByRole('region', { name: 'Where you are signed in' });
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(3);
  await sessions.getByText('This device').waitFor();
  expect(await violationsInEveryLook(here)).toEqual([]);
  await sessions.getByRole('button', { name: /^Sign out Chrome on Linux/ }).click();
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(2);
  app.world.now = (app.world.now + 1_000) as typeof app.world.now;
  await elsewhere.page.goto('/account');
  await elsewhere.page.waitForURL('**/login');
  expect(here.takeErrors()).toEqual([]);
  for (const { context } of [here, elsewhere]) await context.close();
});

import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { codeAt } from '#tests/support/second-factor.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, readyPerson, signedInPerson } from '#tests/support/test-person.ts';
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
  await page.reload();
  await page
    .getByRole('region', { name: 'Recent security activity' })
    .getByText('A session was signed out')
    .waitFor();
  expect(await violationsInEveryLook(here)).toEqual([]);
  app.world.now = (app.world.now + 1_000) as typeof app.world.now;
  await elsewhere.page.goto('/account');
  await elsewhere.page.waitForURL('**/login');
  expect(here.takeErrors()).toEqual([]);
  for (const { context } of [here, elsewhere]) await context.close();
});

test('two-factor sign-in is set up, signs in, confirms, and is turned off', LONG, async () => {
  const { email } = await readyPerson(app);
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  const pass = (ms: number) => {
    app.world.now = (app.world.now + ms) as typeof app.world.now;
  };
  await signIn(watched, email);
  await page.waitForURL('**/dashboard');
  await page.goto('/account?tab=security');
  const factor = page.getByRole('region', { name: 'Two-factor sign-in' });
  await factor.getByRole('button', { name: 'Enable 2FA' }).click();
  const secret = (await factor.getByText(/^([A-Z2-7]{4} ?){8}$/).innerText()).replaceAll(' ', '');
  await factor.getByRole('img', { name: /square code/ }).waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await factor.getByLabel('Code', { exact: true }).fill('000000');
  await factor.getByRole('button', { name: 'Turn on' }).click();
  await factor.getByText(/This code is not right/).waitFor();
  await factor.getByLabel('Code', { exact: true }).fill(codeAt(secret, app.world.now));
  await factor.getByRole('button', { name: 'Turn on' }).click();
  const list = factor.getByRole('list', { name: 'Backup codes' });
  await list.waitFor();
  const codes = await list.getByRole('listitem').allInnerTexts();
  expect(codes).toHaveLength(10);
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await factor.getByRole('button', { name: 'I have kept them' }).click();
  await factor.getByText('10 backup codes left').waitFor();

  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('**/login');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await signIn(watched, email);
  await page.getByText('Your password is right.').waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await page.getByLabel('Code', { exact: true }).fill(codes[0]!);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');

  // Ten minutes later a change of the password asks who it is.
  pass(10 * 60_000);
  await page.goto('/account?tab=security');
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill('a brand new one');
  await page.getByRole('button', { name: 'Change Password' }).click();
  const question = page.getByRole('dialog', { name: 'Is it you?' });
  await question.waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await question.getByRole('button', { name: 'Back' }).click();
  await page.getByText('Please confirm that it is you.').waitFor();
  await page.getByRole('button', { name: 'Change Password' }).click();
  await question.getByLabel('Code', { exact: true }).fill(codeAt(secret, app.world.now));
  await question.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Your password was changed.').waitFor();

  await factor.getByRole('button', { name: 'Turn off' }).click();
  await factor.getByLabel('Code', { exact: true }).fill(codes[1]!);
  await factor.getByRole('button', { name: 'Turn off' }).click();
  await factor.getByRole('button', { name: 'Enable 2FA' }).waitFor();
  watched.takeErrors();
  await watched.context.close();
});

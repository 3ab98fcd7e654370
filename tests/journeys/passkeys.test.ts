import { afterAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { launchBrowser } from '#tests/support/browser.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, readyPerson } from '#tests/support/test-person.ts';
import { openWatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

// A passkey in a real browser, whose device is the one that Chromium simulates: the keys and signatures are real.
const browser = await launchBrowser();
afterAll(() => browser.close());
const app = await testApp({ webRoot: WEB_ROOT });
const port = new URL(await app.app.listen({ port: 0, host: 'localhost' })).port;
// Browsers keep passkeys for a name, not for an address of digits.
const base = `http://localhost:${port}`;
Object.assign(app.dependencies.config, { publicUrl: base });

async function plugIn(page: Page) {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { empty: () => devices.send('WebAuthn.clearCredentials', { authenticatorId }) };
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('**/login');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull();
}

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
}

test('a passkey is added, signs in, confirms, is renamed and removed', { timeout: 120_000 }, async () => {
  const { email } = await readyPerson(app);
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  await plugIn(page);
  await enterPassword(page, email);
  await page.waitForURL('**/dashboard');
  await page.goto('/account?tab=security');
  const factor = page.getByRole('region', { name: 'Two-factor sign-in' });
  await factor.getByRole('button', { name: 'Add a passkey' }).click();
  const naming = page.getByRole('dialog', { name: 'Add a passkey' });
  expect(await naming.getByLabel('Name').inputValue()).toBe('Chrome on Linux');
  await naming.getByLabel('Name').fill('My laptop');
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await naming.getByRole('button', { name: 'Continue' }).click();
  const codes = factor.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  await factor.getByRole('button', { name: 'I have kept them' }).click();
  await factor.getByText('My laptop').waitFor();
  await factor.getByText('10 backup codes left').waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);

  // One device is added once.
  await factor.getByRole('button', { name: 'Add a passkey' }).click();
  await naming.getByRole('button', { name: 'Continue' }).click();
  await naming.getByText('This device keeps a passkey of this account already.').waitFor();
  await naming.getByRole('button', { name: 'Back' }).click();

  await signOut(page);
  await enterPassword(page, email);
  await page.getByText('also needs a passkey or a code.').waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await page.getByRole('button', { name: 'Use your passkey' }).click();
  await page.waitForURL('**/dashboard');

  // Ten minutes later a change of the password asks for it again.
  app.world.now = (app.world.now + 10 * 60_000) as typeof app.world.now;
  await page.goto('/account?tab=security');
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill('a brand new one');
  await page.getByRole('button', { name: 'Change Password' }).click();
  const question = page.getByRole('dialog', { name: 'Is it you?' });
  await question.getByRole('button', { name: 'Use your passkey' }).waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await question.getByRole('button', { name: 'Use your passkey' }).click();
  await page.getByText('Your password was changed.').waitFor();

  await factor.getByRole('button', { name: 'Rename My laptop' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename My laptop' });
  await renaming.getByLabel('Name').fill('Office laptop');
  await renaming.getByRole('button', { name: 'Save' }).click();
  await factor.getByText('Office laptop', { exact: true }).waitFor();
  await factor.getByRole('button', { name: 'Remove Office laptop' }).click();
  const removing = page.getByRole('dialog', { name: 'Remove Office laptop?' });
  await removing.getByText(/your last second factor/).waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await removing.getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => factor.getByText('Office laptop', { exact: true }).count()).toBe(0);
  watched.takeErrors();
  await watched.context.close();
});

test('a device without the key says so, and a backup code signs in', { timeout: 120_000 }, async () => {
  const { email } = await readyPerson(app);
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  const device = await plugIn(page);
  await enterPassword(page, email);
  await page.waitForURL('**/dashboard');
  await page.goto('/account?tab=security');
  const factor = page.getByRole('region', { name: 'Two-factor sign-in' });
  await factor.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  const codes = factor.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
  await codes.first().waitFor();
  const [backupCode] = await codes.allInnerTexts();
  await signOut(page);
  await device.empty();
  await enterPassword(page, email);
  const usePasskey = page.getByRole('button', { name: 'Use your passkey' });
  await usePasskey.click();
  await page.getByText(/^Your browser did not answer/).waitFor();
  // The first challenge is spent: another attempt asks for another.
  const [asked] = await Promise.all([page.waitForResponse('**/api/auth/login/'), usePasskey.click()]);
  expect((await asked.json()).details.passkey.challenge).toMatch(/^[\w-]{43}$/);
  await page.getByText(/^Your browser did not answer/).waitFor();
  await page.getByLabel('Or a code').fill(backupCode!);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
  watched.takeErrors();
  await watched.context.close();
});

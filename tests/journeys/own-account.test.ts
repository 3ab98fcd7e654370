// What a person does about their own account, in a real browser on the real server, between scripted outsides: a new
// password by mail, what is mailed, the toasts, a request to liquidate, what the stream tells at once.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { deliverMails } from '../support/deliver-mails.ts';
import type { NotificationId, UserId } from '../../src/units/identifiers.ts';
import { instant } from '../../src/units/instant.ts';
import { launchBrowser } from '../support/browser.ts';
import { testApp } from '../support/test-app.ts';
import { tradedDeployment } from '../support/test-deployment.ts';
import { PASSWORD, signedInPerson } from '../support/test-person.ts';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.ts';

const app = await testApp({ webRoot: path.resolve(import.meta.dirname, '../../src/web/dist') });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser: Browser = await launchBrowser();
afterAll(() => browser.close());

async function signIn({ page }: WatchedPage, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
}

test('a forgotten password is set anew by a mailed link, which works once', async () => {
  const { email } = await signedInPerson(app);
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password' }).click();
  await page.getByRole('button', { name: 'E-mail me a link' }).click();
  await page.getByText('Email is required').waitFor();
  await page.getByLabel('Email Address').fill(email);
  await page.getByRole('button', { name: 'E-mail me a link' }).click();
  await page.getByText(`If ${email} has an account`).waitFor();
  expect(await watched.violations()).toEqual([]);

  await deliverMails(app.dependencies);
  const link = /^http:\/\/product\.test(\/\S+)$/m.exec(app.world.mails.at(-1)!.text)![1]!;
  await page.goto(link);
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  expect(await watched.violations()).toEqual([]);
  await page.getByLabel('New password', { exact: true }).fill('a brand new one');
  await page.getByLabel('Confirm the new password').fill('a brand new two');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByText('The passwords do not match').waitFor();
  await page.getByLabel('Confirm the new password').fill('a brand new one');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.waitForURL('**/login');
  await signIn(watched, email, 'a brand new one');
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill('yet another one');
  await page.getByLabel('Confirm the new password').fill('yet another one');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByText('has expired or was already used').waitFor();
  await page.getByRole('button', { name: 'Request a new link' }).click();
  await page.getByRole('button', { name: 'E-mail me a link' }).waitFor();
  await watched.context.close();
});

test('the notification switches are saved as they are pressed, and put back when they were not', async () => {
  const { email, token } = await signedInPerson(app);
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  await signIn(watched, email);
  await page.goto('/account?tab=notifications');
  const reports = page.getByLabel('Performance reports');
  expect(await reports.isChecked()).toBe(false);
  expect(await page.getByLabel('Trade confirmations').isChecked()).toBe(true);
  expect(await watched.violations()).toEqual([]);
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
  await reports.check();
  expect((await saved).status()).toBe(200);
  const kept = await app.request({ url: '/api/notifications/preferences/', token });
  expect(kept.body.email.performanceReports).toBe(true);
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('notificationPreferences')))
    .toContain('"performanceReports":true');

  await page.route('**/api/notifications/preferences/', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await page.getByLabel('Risk warnings').click();
  await page.getByText('Failed to save notification preferences').waitFor();
  await expect.poll(() => page.getByLabel('Risk warnings').isChecked()).toBe(true);
  await watched.context.close();
});

test('Liquidate says that approval is required, and records the request', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  await signIn(watched, person.email);
  await page.goto(`/deployed-strategies/${deploymentId}`);
  await page.getByRole('button', { name: 'Liquidate' }).click();
  await page.getByText('Approval Required').waitFor();
  const button = page.getByRole('button', { name: 'Liquidation requested' });
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  expect(await watched.violations()).toEqual([]);
  expect(watched.takeErrors()).toEqual([]);
  await watched.context.close();
});

test('what happens is shown at once: the bell, a toast unless it is off, and the figures', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  await signIn(watched, person.email);
  await page.goto(`/deployed-strategies/${deploymentId}`);
  await page.getByText('$10,318.00').first().waitFor();
  // From here on no read is answered: whatever comes, the stream has told.
  for (const read of ['**/api/deployments/**', '**/api/notifications/']) {
    await page.route(read, () => undefined);
  }
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await app.records.pool.query(
    `update deployments set cash_micro = 7898000000, revision = revision + 1 where id = $1`,
    [deploymentId],
  );
  await page.getByText('$10,418.00').first().waitFor();
  await insertNotifications(app.records.database, [
    {
      id: randomUUID() as string as NotificationId,
      userId: person.id as UserId,
      deploymentId: null,
      facts: { kind: 'frozen', strategyName: 'Calm Trend', drawdownPercent: 20 },
      cause: randomUUID(),
      at: instant(Date.UTC(2026, 0, 8)),
    },
  ]);
  await page.getByText('Trading frozen').waitFor();
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
  await watched.context.close();
});

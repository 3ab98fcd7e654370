import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { deliverMails } from '#tests/support/deliver-mails.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { testApp } from '#tests/support/test-app.ts';
import { tradedDeployment } from '#tests/support/test-deployment.ts';
import { PASSWORD, readyPerson, signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { openWatchedPage, type WatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';

const browser = await launchBrowser();
afterAll(() => browser.close());

// Plans: the modal, the review, the recorded payment, the receipt, the account, and refusals by a cap; in a real browser on
// the real server, with scripted third parties.
describe('plans', async () => {
  const app = await testApp({ webRoot: WEB_ROOT });
  const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const strategy = await publishedStrategy(app, { name: 'Calm Trend', minInvestment: 1_000 });

  const LONG = { timeout: 120_000 };
  const TITLE = 'Choose Your Subscripiton Plan';

  async function signedIn(email: string, at = '/account'): Promise<WatchedPage> {
    const watched = await openWatchedPage(browser, base);
    await watched.page.goto('/login');
    await watched.page.getByLabel('Email Address').fill(email);
    await watched.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await watched.page.locator('form').getByRole('button', { name: 'Sign In' }).click();
    await watched.page.waitForURL('**/dashboard');
    await watched.page.goto(at);
    return watched;
  }

  async function newcomer(at?: string): Promise<WatchedPage> {
    const { email } = await signedInPerson(app);
    return signedIn(email, at);
  }

  const modal = (page: Page) => page.getByRole('dialog', { name: TITLE });
  const openFromMenu = async (page: Page) => {
    await page.getByRole('button', { name: /^User menu/ }).click();
    await page.getByRole('link', { name: 'Subscription Plan' }).click();
    await modal(page).waitFor();
  };

  test(
    'the plans open from the user menu on any page, close three ways, and leave the page as it was',
    LONG,
    async () => {
      const { page, context, violations, takeErrors } = await newcomer('/marketplace?risk=low');
      await openFromMenu(page);
      const offers = modal(page).getByRole('button', { name: /^(Get Started|Subscribe Now)/ });
      await expect
        .poll(() => offers.allInnerTexts())
        .toEqual(['Get Started', 'Subscribe Now', 'Subscribe Now', 'Subscribe Now']);
      await modal(page).getByText('Most popular').waitFor();
      await modal(page).getByRole('radio', { name: 'Yearly -20%' }).click();
      await modal(page).getByText('$63', { exact: true }).waitFor();
      await modal(page).getByText('$756 once a year').waitFor();
      expect(await violationsInEveryLook({ page, violations })).toEqual([]);
      await page.keyboard.press('Escape');
      await modal(page).waitFor({ state: 'hidden' });
      expect(page.url()).toBe(`${base}/marketplace?risk=low`);
      await openFromMenu(page);
      await modal(page).getByRole('button', { name: 'Close' }).click();
      await modal(page).waitFor({ state: 'hidden' });
      await openFromMenu(page);
      await page.mouse.click(5, 5);
      await modal(page).waitFor({ state: 'hidden' });
      expect(takeErrors()).toEqual([]);
      await context.close();
    },
  );

  test('plans that cannot be loaded show an error and a retry', async () => {
    const { page, context, violations } = await newcomer();
    const body = JSON.stringify({ code: 'internal_error', message: 'Told to fail.' });
    await page.route('**/api/plans/', (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body }),
    );
    await openFromMenu(page);
    await modal(page).getByText('Failed to load subscription plans').waitFor();
    expect(await violations()).toEqual([]);
    await page.unroute('**/api/plans/');
    await modal(page).getByRole('button', { name: 'Try Again' }).click();
    await modal(page).getByRole('button', { name: 'Subscribe Now: Pro' }).waitFor();
    await context.close();
  });

  test(
    'a plan is reviewed, confirmed once, receipted, shown on the account, changed and cancelled',
    LONG,
    async () => {
      const { page, context, violations, takeErrors } = await newcomer();
      await openFromMenu(page);
      await modal(page).getByRole('button', { name: 'Subscribe Now: Basic' }).click();
      await page.waitForURL('**/billing?plan=basic&interval=monthly');
      await page.reload();
      await page.getByRole('heading', { name: 'Review your Basic plan' }).waitFor();
      await page.getByText('This is the sandbox: nothing is charged').waitFor();
      expect(await violations()).toEqual([]);
      await page.getByRole('button', { name: 'Confirm plan' }).dblclick();
      await page.getByRole('heading', { name: 'Receipt' }).waitFor();
      await page.getByText('no card was used and nothing was charged').waitFor();
      expect(await violations()).toEqual([]);
      await page.getByRole('link', { name: 'Go to your account' }).click();
      await page.getByText(/Your Basic plan renews on .* for \$29.00/).waitFor();
      await page.getByText('0 of 3').waitFor();
      await expect.poll(() => page.getByRole('link', { name: /^R-\d+/ }).count()).toBe(1);

      await page.getByRole('link', { name: 'Change plan' }).click();
      await modal(page).getByText('Your plan').waitFor();
      await modal(page).getByRole('button', { name: 'Subscribe Now: Pro' }).click();
      await page.getByText('Unused days of your Basic plan').waitFor();
      await page.getByText('$50.00').waitFor();
      await page.getByRole('button', { name: 'Confirm plan' }).click();
      await page.getByRole('link', { name: 'Go to your account' }).click();
      await page.getByText(/Your Pro plan renews on/).waitFor();

      await page.getByRole('button', { name: 'Cancel plan' }).click();
      const asked = page.getByRole('dialog', { name: 'Cancel your plan?' });
      expect(await violations()).toEqual([]);
      await asked.getByRole('button', { name: 'Cancel plan' }).click();
      await page.getByText(/Your Pro plan is cancelled and ends on/).waitFor();
      await page.getByRole('button', { name: 'Keep plan' }).click();
      await page.getByText(/Your Pro plan renews on/).waitFor();
      await expect.poll(() => page.getByRole('link', { name: /^R-\d+/ }).count()).toBe(2);
      expect(await violations()).toEqual([]);
      expect(takeErrors()).toEqual([]);
      await context.close();
    },
  );

  test('without a plan the billing page asks for one and offers the way back', async () => {
    const { page, context } = await newcomer('/billing');
    await modal(page).waitFor();
    await page.keyboard.press('Escape');
    expect(await modal(page).getByRole('button', { name: 'Close' }).count()).toBe(0);
    await modal(page)
      .getByRole('link', { name: /back to your account/ })
      .click();
    await page.waitForURL('**/account');
    await context.close();
  });

  test('a visitor signs in first and comes back to the chosen plan', async () => {
    const { email } = await signedInPerson(app);
    const { page, context } = await openWatchedPage(browser, base);
    await page.goto('/billing?plan=pro&interval=yearly');
    await page.waitForURL('**/login');
    await page.getByLabel('Email Address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
    await page.getByRole('heading', { name: 'Review your Pro plan' }).waitFor();
    await page.getByText('$756.00').first().waitFor();
    await context.close();
  });

  test('a missing receipt and a failed confirmation are reported', async () => {
    const { page, context } = await newcomer(`/billing?receipt=${randomUUID()}`);
    await page.getByRole('heading', { name: 'Receipt not found' }).waitFor();
    await page.goto('/billing?plan=pro');
    const body = JSON.stringify({ code: 'payment_declined', message: 'The card was refused.' });
    await page.route('**/api/billing/plan/', (route) =>
      route.fulfill({ status: 422, contentType: 'application/json', body }),
    );
    await page.getByRole('button', { name: 'Confirm plan' }).click();
    await page.getByText('The card was refused.').waitFor();
    await page.unroute('**/api/billing/plan/');
    await page.getByRole('button', { name: 'Confirm plan' }).click();
    await page.getByRole('heading', { name: 'Receipt' }).waitFor();
    await context.close();
  });

  test('the wizard shows what the plan does not cover before the click, and comes back from billing', async () => {
    const person = await readyPerson(app);
    await app.request({
      method: 'POST',
      url: '/api/billing/plan/',
      token: person.token,
      body: { plan: 'free', interval: 'monthly' },
    });
    const { page, context, violations } = await signedIn(person.email, `/strategy/${strategy}/deploy`);
    await page.getByRole('radio', { name: /Interactive Brokers/ }).check();
    await page.getByRole('button', { name: /^Connect to/ }).click();
    await page.getByRole('button', { name: 'Use this account' }).click();
    await page.getByText('The Free plan allows a total investment of $1,000.').first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Review Deployment' }).isDisabled()).toBe(true);
    expect(await violations()).toEqual([]);
    await page.getByRole('link', { name: 'See plans' }).click();
    await modal(page).getByRole('button', { name: 'Subscribe Now: Pro' }).click();
    await page.getByRole('button', { name: 'Confirm plan' }).click();
    await page.getByRole('link', { name: 'Continue deploying' }).click();
    await page.getByRole('heading', { name: 'Configuration' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Review Deployment' }).isEnabled()).toBe(true);
    await context.close();
  });
});

// A person's own account, in a real browser on the real server, with scripted third parties: a new password by mail, mail
// preferences, toasts, a request to liquidate, and live updates from the stream.
describe('own account', async () => {
  const app = await testApp({ webRoot: WEB_ROOT });
  const base = await app.app.listen({ port: 0, host: '127.0.0.1' });

  async function signIn({ page }: WatchedPage, email: string, password = PASSWORD): Promise<void> {
    await page.goto('/login');
    await page.getByLabel('Email Address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL('**/dashboard');
  }

  test('a mailed link resets a forgotten password, and works once', async () => {
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

  test('the notification switches save at once, and revert if saving fails', async () => {
    const { email, token } = await signedInPerson(app);
    const watched = await openWatchedPage(browser, base);
    const { page } = watched;
    await signIn(watched, email);
    await page.goto('/account?tab=notifications');
    const reports = page.getByLabel('Performance reports: E-mail');
    expect(await reports.isChecked()).toBe(false);
    expect(await page.getByLabel('Trade confirmations: E-mail').isChecked()).toBe(true);
    expect(await watched.violations()).toEqual([]);
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await reports.check();
    expect((await saved).status()).toBe(200);
    const kept = await app.request({ url: '/api/notifications/preferences/', token });
    expect(kept.body.email.performanceReports).toBe(true);
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('notificationPreferences')))
      .toContain('"performanceReports":true');

    await page.route('**/api/notifications/choices/', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await page.getByLabel('Risk warnings: On the site').click();
    await page.getByText('Failed to save notification preferences').waitFor();
    await expect.poll(() => page.getByLabel('Risk warnings: On the site').isChecked()).toBe(true);
    await watched.context.close();
  });

  test('Liquidate says that approval is required, and records the request', async () => {
    const { person, deploymentId } = await tradedDeployment(app);
    const watched = await openWatchedPage(browser, base);
    const { page } = watched;
    await signIn(watched, person.email);
    await page.goto(`/deployed-strategies/${deploymentId}`);
    await page.getByRole('button', { name: 'Close Deployment' }).click();
    await page.getByRole('radio', { name: 'Liquidate' }).check();
    await page.getByRole('button', { name: 'Request liquidation' }).click();
    await page.getByText('Approval Required').waitFor();
    const button = page.getByRole('button', { name: 'Liquidation requested' });
    await button.waitFor();
    expect(await button.isDisabled()).toBe(true);
    expect(await watched.violations()).toEqual([]);
    expect(watched.takeErrors()).toEqual([]);
    await watched.context.close();
  });

  test('an event updates the bell and the figures at once, and shows a toast unless toasts are off', async () => {
    const { person, deploymentId } = await tradedDeployment(app);
    const watched = await openWatchedPage(browser, base);
    const { page } = watched;
    await signIn(watched, person.email);
    const firstNotifications = page.waitForResponse('**/api/notifications/');
    await page.goto(`/deployed-strategies/${deploymentId}`);
    await page.getByText('$10,318.00').first().waitFor();
    await firstNotifications;
    // From here on no read is answered: every update must come from the stream.
    for (const read of ['**/api/deployments/**', '**/api/notifications/']) {
      await page.route(read, () => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await app.records.pool.query(
      `update deployments set cash_micro = 7898000000, equity_micro = 10418000000, revision = revision + 1
       where id = $1`,
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
    // The stream waits for every older transaction of the database server, also for those of tests beside this one.
    await page.getByText('Trading frozen').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
    await watched.context.close();
  });
});

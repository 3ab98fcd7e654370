// A track record that the provider imports: a bad file, a good one, what visitors see of it, and its withdrawal; in a real browser on the
// real server.
import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { claimFile } from '#tests/support/claim-file.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { openWatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser = await launchBrowser();
afterAll(() => browser.close());

test('a claim is imported, shown apart from our own figures, and withdrawn', {
  timeout: 240_000,
}, async () => {
  const strategy = await publishedStrategy(app, { name: 'Old Hand', committedOn: '2025-11-01' });
  const staff = await signedInPerson(app);
  await giveRole(app.records, staff, 'provider');
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(staff.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL(/\/(dashboard|catalogue)/);
  await page.goto(`/catalogue/${strategy}`);
  const desk = page.getByRole('region', { name: 'Claimed track record' });
  const upload = (text: string) =>
    desk
      .getByLabel(/^File /)
      .setInputFiles({ name: 'record.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await upload(claimFile({ perDay: 300 }).replace('2025-11-03,', 'yesterday,'));
  await desk.getByLabel('Where the figures come from').fill('Statements of our own account');
  await desk.getByRole('button', { name: 'Import as a Claim' }).click();
  await desk.getByText('Line 4: “yesterday” is not a day. Write it as 2026-01-31.').waitFor();
  // The browser logs the refusal.
  watched.takeErrors();
  // What was typed is still there: only the file is chosen again.
  await upload(claimFile({ perDay: 300 }));
  await desk.getByRole('button', { name: 'Import as a Claim' }).click();
  await desk.getByText('It is shown as claimed from now on.').waitFor();
  await desk.getByText('Over the same 59 days it says +17.7%, and we measured +5.9%.').waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);

  await page.goto('/marketplace');
  await page.getByText('Claimed by the provider, not checked by us: +17.7% in all').first().waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await page.goto(`/strategy/${strategy}`);
  const section = page.getByRole('region', { name: 'Claimed record' });
  await section.getByText('Source: Statements of our own account.').waitFor();
  await section
    .getByText(/Measured by us/)
    .first()
    .waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);

  await page.goto(`/catalogue/${strategy}`);
  await desk.getByRole('button', { name: 'Withdraw the Claim' }).click();
  await desk.getByText('No score, grade or evidence counts it.').waitFor({ state: 'detached' });
  expect(watched.takeErrors()).toEqual([]);
});

import { afterAll, expect, test } from 'vitest';
import { liquidationRequest, supportPerson } from '#tests/api/scene.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { openWatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

// A client has written to support, in a real browser on the real server.
const browser = await launchBrowser();
afterAll(() => browser.close());
const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });

test('support finds a client, sees them on one page, writes a note and signs them out', {
  timeout: 120_000,
}, async () => {
  const support = await supportPerson(app);
  const { deploymentId } = await liquidationRequest(app);
  const { rows } = await app.records.pool.query<{ id: string; email: string; account: string }>(
    `select u.id, u.email, split_part(c.account_id, ':', -1) as account from users u
     join deployments d on d.user_id = u.id join broker_connections c on c.id = d.broker_connection_id where d.id = $1`,
    [deploymentId],
  );
  const client = rows[0]!;
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(support.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/operations');
  await page.getByRole('link', { name: 'Find a client' }).click();
  const field = page.getByLabel('Mail, account number or order id');
  const find = page.getByRole('button', { name: 'Find', exact: true });
  await field.fill(client.email.slice(0, -1));
  await find.click();
  await page.getByText(/^Nobody has exactly this/).waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await field.fill(client.account);
  await find.click();
  await page.waitForURL(`**/operations/clients/${client.id}`);
  await page.getByText(client.email).first().waitFor();
  await page.getByRole('region', { name: 'Waiting' }).getByText('Liquidation request').waitFor();
  await page.getByRole('region', { name: 'Accounts' }).getByText(client.account).waitFor();
  await page.getByRole('region', { name: 'What happened' }).getByText('Signed in').first().waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);

  await page.getByLabel('New note').fill('Asked by phone when the sale happens.');
  await page.getByRole('button', { name: 'Write the note' }).click();
  const notes = page.getByRole('region', { name: 'Notes' });
  await notes.getByText('Asked by phone when the sale happens.').waitFor();
  await notes.getByText(support.email).waitFor();

  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  const dialog = page.getByRole('dialog', { name: `Sign out ${client.email}?` });
  expect(await violationsInEveryLook(watched)).toEqual([]);
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByText('Signed out everywhere').waitFor();
  await expect
    .poll(async () => {
      const { rows: open } = await app.records.pool.query(
        'select from sessions where user_id = $1 and ended_at is null',
        [client.id],
      );
      return open.length;
    })
    .toBe(0);
  expect(watched.takeErrors()).toEqual([]);
  await watched.context.close();
});

test('for a client the page does not exist', { timeout: 60_000 }, async () => {
  const { email } = await signedInPerson(app);
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
  await page.goto('/operations/clients');
  await page.waitForURL((url) => url.pathname === '/');
  await watched.context.close();
});

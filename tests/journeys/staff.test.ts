import { afterAll, expect, test } from 'vitest';
import { supportPerson } from '#tests/api/scene.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { deliverMails } from '#tests/support/deliver-mails.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { codeAt } from '#tests/support/second-factor.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { openWatchedPage, type WatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

// How somebody becomes staff, and how an address is verified, in a real browser on the real server, where staff need a
// second factor.
const browser = await launchBrowser();
afterAll(() => browser.close());
const app = await testApp({ webRoot: WEB_ROOT, staffNeedSecondFactor: true });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const LONG = { timeout: 180_000 };

const look = async (watched: WatchedPage, _name: string) => {
  expect(await violationsInEveryLook(watched)).toEqual([]);
};

async function linkTo(email: string): Promise<string> {
  await deliverMails(app.dependencies);
  const { text } = app.world.mails.filter(({ to }) => to === email).at(-1)!;
  return /^http:\/\/product\.test(\/\S+)$/m.exec(text)![1]!;
}

async function signedIn({ page }: WatchedPage, { token, refresh }: { token: string; refresh: string }) {
  await page.goto('/robots.txt');
  await page.evaluate(
    `localStorage.setItem('token', '${token}'); localStorage.setItem('refreshToken', '${refresh}')`,
  );
}

test(
  'an admin invites; the link leads to a password and a second factor, and then to the desk',
  LONG,
  async () => {
    const admin = await signedInPerson(app);
    await giveRole(app.records, admin, 'admin');
    // Her second factor is not what this is about.
    await app.records.pool.query(
      `insert into authenticators (user_id, sealed_secret, enabled_at) values ($1, '', now())`,
      [admin.id],
    );
    const bob = await supportPerson(app);
    const watched = await openWatchedPage(browser, base);
    const { page } = watched;
    await signedIn(watched, admin);
    await page.goto('/staff');
    await page.getByRole('heading', { name: 'Staff', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Send the invitation' });
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByLabel('Email Address').fill(bob.email);
    await dialog.getByText('has the operations desk').waitFor();
    await send.click();
    await dialog.getByText('This address has an account').waitFor();
    await dialog.getByLabel('Email Address').fill('sue@example.test');
    await look(watched, 'invite');
    await send.click();
    await page.getByText('A link is on its way to sue@example.test.').waitFor();
    await page.getByRole('heading', { name: 'sue@example.test' }).waitFor();

    const joining = await openWatchedPage(browser, base);
    await joining.page.goto(await linkTo('sue@example.test'));
    await joining.page.getByRole('heading', { name: 'Join the staff' }).waitFor();
    expect(new URL(joining.page.url()).search, 'the token leaves the address').toBe('');
    await look(joining, 'invitation');
    await joining.page.getByLabel('Full Name').fill('Sue Miller');
    await joining.page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await joining.page.getByLabel('Confirm the password').fill('correct horse battery');
    await joining.page.getByRole('button', { name: 'Join' }).click();
    await joining.page.waitForURL('**/account?tab=security');
    const factor = joining.page.getByRole('region', { name: 'Two-factor sign-in' });
    await factor.getByRole('button', { name: 'Enable 2FA' }).click();
    const secret = (await factor.getByText(/^([A-Z2-7]{4} ?){8}$/).innerText()).replaceAll(' ', '');
    await factor.getByLabel('Code', { exact: true }).fill(codeAt(secret, app.world.now));
    await factor.getByRole('button', { name: 'Turn on' }).click();
    await factor.getByRole('list', { name: 'Backup codes' }).waitFor();
    app.world.now = (app.world.now + 1_000) as typeof app.world.now;
    await joining.page.goto('/operations');
    await joining.page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor();

    await page.reload();
    await page.getByRole('heading', { name: 'Sue Miller' }).waitFor();
    await look(watched, 'staff');
    await page.getByRole('button', { name: 'Disable: sue@example.test' }).click();
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    app.world.now = (app.world.now + 1_000) as typeof app.world.now;
    await joining.page.goto('/operations');
    await joining.page.waitForURL('**/login');
    for (const { context } of [watched, joining]) await context.close();

    const other = await openWatchedPage(browser, base);
    await signedIn(other, await signedInPerson(app));
    await other.page.goto('/staff');
    await other.page.waitForURL(`${base}/`);
    await other.context.close();
  },
);

test('a newcomer is asked to open a mailed link, gets it again, and is asked no more', LONG, async () => {
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  const email = 'new@example.test';
  await page.goto('/login');
  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByLabel('Full Name').fill('New Person');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Register' }).click();
  const banner = page.getByRole('region', { name: 'E-mail address' });
  await banner.getByText(`Open the link that we sent to ${email}`).waitFor();
  await look(watched, 'banner');
  await banner.getByRole('button', { name: 'Send the link again' }).click();
  await banner.getByText('A new link is on its way').waitFor();
  await page.goto(await linkTo(email));
  await page.getByText('One press confirms it').waitFor();
  await look(watched, 'verify');
  await page.getByRole('button', { name: 'This is my address' }).click();
  await page.getByText('Your address is verified').waitFor();
  await expect.poll(() => banner.count()).toBe(0);
  expect(watched.takeErrors()).toEqual([]);
  await watched.context.close();
});

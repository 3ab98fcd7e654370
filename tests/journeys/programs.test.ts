import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { cashOf, reportCash, testApp } from '#tests/support/test-app.ts';
import { PASSWORD, readyPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { openWatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

// What a person lets programs do, in a real browser on the real server.
const browser = await launchBrowser();
afterAll(() => browser.close());
const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });

const LONG = { timeout: 120_000 };

test(
  'a person makes a key, a program asks, and a tap carries it out; a webhook is added and tested',
  LONG,
  async () => {
    const strategy = await publishedStrategy(app, { name: 'Calm Trend' });
    await reportCash(app, cashOf(1_000_000));
    const person = await readyPerson(app);
    const watched = await openWatchedPage(browser, base);
    const { page } = watched;
    await page.goto('/login');
    await page.getByLabel('Email Address').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL('**/dashboard');

    await page.goto('/account?tab=security');
    const keys = page.getByRole('region', { name: 'API keys' });
    await keys.getByText('You have no API keys.').waitFor();
    const client = keys.getByRole('link', { name: 'a client' });
    const saved = page.waitForEvent('download');
    await client.click();
    expect((await saved).suggestedFilename()).toBe('bellwether.ts');
    await keys.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByLabel('Name').fill('My agent');
    await dialog.getByLabel('Trade').check();
    await dialog.getByLabel('Budget in dollars').fill('20000');
    expect(await violationsInEveryLook(watched)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    const secret = await keys.getByLabel('The new API key').innerText();
    expect(secret).toMatch(/^bwk_/);
    expect(await violationsInEveryLook(watched)).toEqual([]);
    await keys.getByRole('button', { name: 'I have kept it' }).click();

    const asked = await app.request({
      method: 'POST',
      url: '/api/deployments/',
      token: secret,
      body: {
        strategy,
        broker_connection: person.connectionId,
        investment_amount: 10_000,
        stop_loss_percentage: 10,
        max_allocation_per_trade: 20,
        freeze_on_drawdown: 25,
      },
    });
    expect(asked.body.code).toBe('approval_required');
    await page.reload();
    const waiting = keys.getByRole('list', { name: 'Waiting for your decision' });
    await waiting.getByText('Deploy $10,000 in Calm Trend at your broker').waitFor();
    expect(await violationsInEveryLook(watched)).toEqual([]);
    await waiting.getByRole('button', { name: 'Accept' }).click();
    await keys.getByText('$10,000.00 of $20,000.00 held').waitFor();
    await keys.getByRole('button', { name: 'Revoke My agent' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await keys.getByText('Revoked', { exact: true }).waitFor();

    await page.goto('/account?tab=notifications');
    const hooks = page.getByRole('region', { name: 'To a program' });
    await hooks.getByRole('button', { name: 'Add a webhook' }).click();
    const add = page.getByRole('dialog', { name: 'Add a webhook' });
    await add.getByLabel('Address').fill('https://127.0.0.1/');
    await add.getByRole('button', { name: 'Add' }).click();
    await add.getByText('Give a name that is reachable from the Internet').waitFor();
    await add.getByLabel('Address').fill('https://hooks.example.com/bellwether');
    expect(await violationsInEveryLook(watched)).toEqual([]);
    await add.getByRole('button', { name: 'Add' }).click();
    expect(await hooks.getByLabel('The secret of the webhook').innerText()).toMatch(/^whsec_/);
    await hooks.getByRole('button', { name: 'I have kept it' }).click();
    await hooks.getByRole('button', { name: 'Send a test' }).click();
    await hooks.getByText('Deliveries').click();
    await hooks.getByText('test', { exact: true }).waitFor();
    expect(await violationsInEveryLook(watched)).toEqual([]);
    watched.takeErrors();
    await watched.context.close();
  },
);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { readEngineHash } from '#processes/wiring/engine-sources.ts';
import type { JobWorker } from '#records/jobs/job-worker.ts';
import { renewResult } from '#results/renew-result.ts';
import { startBacktestWorker } from '#tests/support/backtest-worker.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { commitStrategy, resultTools, storeMarket } from '#tests/support/committed-strategy.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { personPage } from '#tests/support/person-page.ts';
import { openWatchedPage, type WatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';
import { withoutGuards } from '#tests/support/without-guards.ts';

// Building a custom strategy: by controls, in words, refused, watched while it is tested, tuned, swept, renamed and deleted;
// in a real browser on the real server, with backtests that really run.
describe('the strategy builder', async () => {
  const app = await testApp({ webRoot: WEB_ROOT });
  const bars = await storeMarket(app.records.database);
  app.world.marketNow = bars.at(-1)!.closedAt;
  const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const browser = await launchBrowser();
  let jobs: Promise<JobWorker> | null = null;

  async function startJobs(): Promise<void> {
    jobs ??= startBacktestWorker({
      database: app.records.database,
      databaseUrl: app.records.url,
      dataDir: tmpdir(),
      readClock: async () => ({ now: app.world.marketNow, mode: 'sandbox' }),
      feePercent: 30,
      onError: (error) => expect.unreachable(String(error)),
    });
    await jobs;
  }

  afterAll(async () => {
    await (await jobs)?.stop();
    await browser.close();
  });

  async function newcomer(
    at = '/custom-strategies',
  ): Promise<WatchedPage & { email: string; token: string }> {
    const { email, token } = await signedInPerson(app);
    const watched = await openWatchedPage(browser, base);
    await watched.page.goto('/login');
    await watched.page.getByLabel('Email Address').fill(email);
    await watched.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await watched.page.locator('form').getByRole('button', { name: 'Sign In' }).click();
    await watched.page.waitForURL('**/dashboard');
    await watched.page.goto(at);
    return { ...watched, email, token };
  }

  const LONG = { timeout: 240_000 };

  const create = (page: Page) => page.getByRole('button', { name: 'Create Strategy' });

  test('the entry: from the marketplace, back to it, and through sign-in for a visitor', async () => {
    const visitor = await openWatchedPage(browser, base);
    await visitor.page.goto('/custom-strategies');
    await visitor.page.waitForURL('**/login');
    await visitor.context.close();
    const { page, context, violations, takeErrors } = await newcomer('/marketplace');
    await page.getByRole('link', { name: 'Build your own' }).click();
    await page.getByRole('radio', { name: 'UI Builder' }).waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL('**/marketplace');
    await page.goto('/custom-strategies');
    await page.getByRole('link', { name: 'Back to Marketplace' }).click();
    await page.waitForURL('**/marketplace');
    expect(takeErrors()).toEqual([]);
    await context.close();
  });

  test('the UI builder has the specified defaults, previews what it builds, and refuses a minimum below 1000', async () => {
    const { page, context } = await newcomer();
    await page
      .getByText('A medium-risk strategy on shares and funds by momentum, aiming at 20% a year')
      .waitFor();
    expect(
      await Promise.all((await page.getByRole('slider').all()).map((slider) => slider.inputValue())),
    ).toEqual(['15', '20']);
    const minimum = page.getByLabel('Minimum investment');
    expect(await minimum.inputValue()).toBe('10000');
    await minimum.fill('999');
    await page.getByText('Please enter at least $1,000.').waitFor();
    expect(await create(page).isDisabled()).toBe(true);
    await minimum.fill('2500');
    await page.getByRole('radio', { name: 'High' }).click();
    await page.getByText('A high-risk strategy on shares and funds').waitFor();
    await page.reload();
    expect(await minimum.inputValue()).toBe('2500');
    await page.getByRole('radio', { name: 'Futures' }).click();
    await create(page).click();
    await page.getByText('We have no prices for these instruments.').waitFor();
    await context.close();
  });

  test('the AI builder shows what each phrase made, and asks back about the rest', LONG, async () => {
    const { page, context, violations, takeErrors } = await newcomer();
    await page.getByRole('radio', { name: 'AI Builder' }).click();
    await page.getByText('It reads by a grammar').waitFor();
    const text = page.getByLabel('Describe your strategy');
    expect(await text.getAttribute('rows')).toBe('6');
    await create(page).click();
    await page.getByText('Describe what to trade and how').waitFor();
    await text.fill('Never buy shares on a Friday');
    await page.getByText('This says what is not wanted in a way that is not understood').waitFor();
    expect(await create(page).isDisabled()).toBe(true);
    expect(await violations()).toEqual([]);

    await text.fill('Buy shares above their 40-day average, stop loss 12%, with a trailing stop');
    await page.getByText('There is no trailing stop here.').waitFor();
    expect(await create(page).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Leave it out' }).click();
    await page.getByText('“trailing stop”: left out').waitFor();
    await page.getByRole('button', { name: 'stop loss 12%' }).focus();
    expect(await page.getByRole('button', { name: 'Stop', exact: true }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await page.getByRole('button', { name: 'Checked', exact: true }).waitFor({ state: 'detached' });
    await page.getByLabel('Change it').fill('make it monthly');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByText('Every month, after the close').waitFor();
    await page.getByRole('button', { name: 'Checked', exact: true }).hover();
    expect(
      await page.getByRole('button', { name: 'monthly', exact: true }).getAttribute('aria-pressed'),
    ).toBe('true');
    await page.reload();
    await page.getByText('Every month, after the close').waitFor();
    await page.getByText('“trailing stop”: left out').waitFor();
    await page.getByRole('button', { name: 'Take back “make it monthly”' }).click();
    await page.getByText('Every trading day, after the close').waitFor();
    expect(await create(page).isEnabled()).toBe(true);
    expect(await violationsInEveryLook({ page, violations })).toEqual([]);
    expect(takeErrors().filter((line) => !line.includes('422'))).toEqual([]);
    await context.close();
  });

  test('a description becomes a draft that is tested, tuned, swept, renamed and deleted', LONG, async () => {
    const { page, context, violations, takeErrors } = await newcomer();
    await page.getByRole('radio', { name: 'AI Builder' }).click();
    await page
      .getByLabel('Describe your strategy')
      .fill('Trend following on shares, 40-day average, stop loss 12%');
    await create(page).click();
    await page.waitForURL('**/strategy/new?draft=*');
    await page.getByRole('heading', { name: 'The rules' }).waitFor();
    await page.getByText('The close is above the 40-day average', { exact: true }).waitFor();
    await page.getByText('Backtest queued').waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('The backtest was cancelled').waitFor();
    await startJobs();
    await page.getByRole('button', { name: 'Run backtest' }).first().click();
    await page.getByRole('heading', { name: 'Performance History' }).waitFor({ timeout: 60_000 });
    await page.getByText('Chance of beating luck').waitFor();
    await page.getByRole('region', { name: 'Against' }).waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('tab', { name: 'Evidence' }).click();
    await page.getByRole('heading', { name: 'How much to trust this' }).waitFor();
    await page.getByText('Deflated Sharpe ratio').first().waitFor();
    await page.getByRole('link', { name: 'Hypothetical' }).first().waitFor();
    expect(await violations()).toEqual([]);

    await page.getByRole('tab', { name: 'Rules' }).click();
    expect(await page.getByRole('button', { name: 'Save and test' }).isDisabled()).toBe(true);
    await page.getByRole('slider', { name: 'Days of the average' }).press('ArrowRight');
    await page.getByText('41 days').waitFor();
    await page.getByRole('button', { name: 'Save and test' }).click();
    await page.getByText('The close is above the 41-day average', { exact: true }).waitFor();
    await page.getByText(/^Version 2,/).waitFor();
    await page.getByRole('heading', { name: 'Performance History' }).waitFor({ timeout: 60_000 });

    await page.getByRole('button', { name: 'Try other numbers' }).click();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('sweep');
    await page.getByRole('button', { name: 'Try 5 combinations' }).click();
    await page.getByText('Best', { exact: true }).waitFor({ timeout: 60_000 });
    await page.getByText('Probability of overfitting').first().waitFor();
    expect(await violationsInEveryLook({ page, violations })).toEqual([]);
    await page.getByLabel('Together with').selectOption({ label: 'Stop loss' });
    await page.getByRole('button', { name: 'Try 25 combinations' }).click();
    const map = page.getByRole('region', { name: 'Map of the sweep' });
    await map.waitFor({ timeout: 60_000 });
    expect(await map.getByRole('button').count()).toBe(25);
    await map.getByRole('button', { name: 'the best of all' }).focus();
    const chosen = map.locator('[aria-pressed=true]');
    const before = await chosen.getAttribute('data-cell');
    await chosen.press(before!.endsWith('-0') ? 'ArrowRight' : 'ArrowLeft');
    expect(await chosen.getAttribute('data-cell')).not.toBe(before);
    expect(await violationsInEveryLook({ page, violations })).toEqual([]);
    await page.getByRole('button', { name: 'As a table' }).click();
    expect(await page.getByRole('table', { name: 'Runs of the sweep' }).getByRole('row').count()).toBe(26);
    await page.getByRole('button', { name: 'Use run 1', exact: true }).click();
    await page.getByText(/^Version 3,/).waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('heading', { name: 'What version 3 changed' }).waitFor();
    await page.getByText('Closes a position that has lost 12% since entry').first().waitFor();
    expect(await violationsInEveryLook({ page, violations })).toEqual([]);
    await page.getByRole('heading', { name: 'Performance History' }).waitFor({ timeout: 60_000 });
    await page.getByRole('tab', { name: 'Rules' }).click();

    await page.getByText('Market filter, most traded, band, sizes and weeks').click();
    await page.getByLabel('Only while this is above its average').selectOption('AAA');
    await page.getByLabel('Band in points of the money').fill('none');
    await page.getByText('Enter a number above zero').waitFor();
    await page.getByLabel('Band in points of the money').fill('3');
    await page.getByLabel('Bars of the').selectOption('week');
    expect(await violationsInEveryLook({ page, violations })).toEqual([]);
    await page.getByRole('button', { name: 'Save these parts' }).click();
    await page.getByText(/^Version 4,/).waitFor();
    await page.getByText('A position is left as it is until its share of the money is 3 points').waitFor();
    await page.getByText('The close is above the 200-day average, of AAA').waitFor();
    await page.getByRole('heading', { name: 'Performance History' }).waitFor({ timeout: 60_000 });

    await page.getByText('Conditions, ranking, exits and instruments').click();
    await page.getByRole('button', { name: 'Add a figure' }).click();
    await page.getByLabel('Measures').selectOption('roc');
    await page.getByLabel('Days', { exact: true }).fill('30');
    const entry = page.getByRole('group', { name: 'Buys when' });
    await entry.getByRole('button', { name: 'Add a condition' }).click();
    const condition = entry.getByLabel(/^Buys when, condition \d: figure$/).last();
    await condition.selectOption({ label: 'the change over 30 days' });
    await entry
      .getByLabel(/compared with$/)
      .last()
      .selectOption({ label: 'this percent' });
    expect(await page.getByRole('button', { name: 'Save these parts' }).isDisabled()).toBe(true);
    await entry.getByLabel(/: percent$/).fill('1.5');
    expect(await violationsInEveryLook({ page, violations })).toEqual([]);
    await page.getByRole('button', { name: 'Save these parts' }).click();
    await page.getByText(/^Version 5,/).waitFor();
    await page
      .getByText(/and the change over 30 days is above 1.5%/)
      .first()
      .waitFor();
    await page.getByRole('heading', { name: 'Performance History' }).waitFor({ timeout: 60_000 });
    await page.getByRole('tab', { name: 'Rules' }).click();

    await page.getByRole('textbox', { name: 'Name' }).fill('Forty days');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Forty days' }).waitFor();
    await page.getByRole('link', { name: 'Back to the builder' }).click();
    await page.getByRole('link', { name: 'Forty days' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete draft' }).click();
    await page.waitForURL('**/custom-strategies');
    expect(await page.getByRole('link', { name: 'Forty days' }).count()).toBe(0);
    // The stream of a page that stays open for long may be cut and is then reopened.
    expect(takeErrors().filter((line) => !line.includes('/api/stream/'))).toEqual([]);
    await context.close();
  });

  test(
    'the controls search: every try is shown, and the draft gets the rules that come nearest',
    LONG,
    async () => {
      await startJobs();
      const { page, context, violations, takeErrors } = await newcomer();
      await page.getByText('You see every try, and each counts').waitFor();
      await create(page).click();
      await page.waitForURL('**/strategy/new?draft=*');
      await page.getByRole('heading', { name: 'Performance History' }).waitFor({ timeout: 120_000 });
      await page.getByRole('tab', { name: 'Sweep' }).click();
      await page.getByRole('heading', { name: 'What the search found' }).waitFor();
      await page
        .getByText(/sets of rules were tried for 20% a year with at most 15% below the peak/)
        .waitFor();
      await page.getByText(/^All \d+ that were tried/).click();
      await page.getByText('in this draft', { exact: true }).waitFor();
      expect(await violationsInEveryLook({ page, violations })).toEqual([]);
      expect(takeErrors().filter((line) => !line.includes('/api/stream/'))).toEqual([]);
      await context.close();
    },
  );

  test('a missing draft, and drafts that cannot be loaded, are reported', async () => {
    const { page, context } = await newcomer('/strategy/new?draft=none');
    await page.getByRole('heading', { name: 'Draft not found' }).waitFor();
    const body = JSON.stringify({ code: 'internal_error', message: 'Told to fail.' });
    await page.route('**/api/strategies/drafts/', (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body }),
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Failed to load your strategy' }).waitFor();
    await page.unroute('**/api/strategies/drafts/');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('heading', { name: 'Draft not found' }).waitFor();
    await context.close();
  });

  test('a plan without the builder says so and opens the plans', async () => {
    const { page, context, token } = await newcomer();
    const plan = { plan: 'basic', interval: 'monthly' };
    await app.request({ method: 'POST', url: '/api/billing/plan/', token, body: plan });
    await create(page).click();
    await page.getByText('The Basic plan does not include the custom strategy builder.').waitFor();
    await page.getByRole('link', { name: 'See plans' }).click();
    await page.getByRole('dialog', { name: 'Choose Your Subscripiton Plan' }).waitFor();
    await context.close();
  });
});

// A visitor presses Verify: the app built from these sources runs a stored result again in a worker, under the server's own
// content security policy. Then one price in the records changes, and Verify reports it.
describe('evidence that the browser verifies', async () => {
  const webRoot = mkdtempSync(path.join(tmpdir(), 'bellwether-web-'));
  await build({
    configFile: path.resolve(import.meta.dirname, '../../src/web/vite.config.ts'),
    logLevel: 'error',
    build: { outDir: webRoot, emptyOutDir: true },
  });
  afterAll(() => rmSync(webRoot, { recursive: true, force: true }));

  const served = await testApp({ webRoot });
  const { app, records } = served;
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const bars = await storeMarket(records.database);
  const version = await commitStrategy(records.database, { slug: 'cross', committedAt: bars[599]!.closedAt });
  await renewResult(
    { ...resultTools(records.database, bars[649]!.closedAt), engine: readEngineHash() },
    version,
  );

  test('Verify works for whoever is signed in where figures are hidden from visitors', {
    timeout: 90_000,
  }, async () => {
    const person = await signedInPerson(served);
    await records.pool.query(`insert into figure_switches (status, is_shown) values ('visitor', false)`);
    const browser = await launchBrowser();
    const page = await personPage(browser, address, person);
    await page.goto(`${address}/strategy/${version.strategyId}`);
    const passport = page.getByRole('region', { name: 'Evidence passport' });
    await passport.getByRole('button', { name: 'Verify' }).click();
    await passport.getByText(/^Verified: your browser re-ran it/).waitFor();
    await records.pool.query(`insert into figure_switches (status, is_shown) values ('visitor', true)`);
    await browser.close();
  });

  test('Verify is green on the published result and red after one changed price', {
    timeout: 90_000,
  }, async () => {
    const browser = await launchBrowser();
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(`${address}/strategy/${version.strategyId}`);
    const passport = page.getByRole('region', { name: 'Evidence passport' });
    await passport.getByRole('button', { name: 'Verify' }).click();
    await passport.getByText(/^Verified: your browser re-ran it/).waitFor();
    await expect.poll(() => passport.getByText('agrees', { exact: true }).count()).toBe(6);

    await withoutGuards(
      records,
      'update bars set close = close * 1.0001 where (symbol, closed_at) = (select symbol, min(closed_at) from bars group by symbol limit 1)',
    );
    // A download is kept for ten minutes.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 });
    await passport.getByRole('button', { name: 'Verify' }).click();
    await passport.getByText(/^Not verified/).waitFor();
    vi.useRealTimers();
    await passport.getByText('The prices are not the ones whose hash is stated.').waitFor();
    expect(complaints).toEqual([]);
    await browser.close();
  });
});

import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { startBacktestWorker } from '#tests/support/backtest-worker.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { storeMarket } from '#tests/support/committed-strategy.ts';
import { answers, fails, proposal, scriptedModel } from '#tests/support/scripted-model.ts';
import { testApp } from '#tests/support/test-app.ts';
import { PASSWORD, signedInPerson } from '#tests/support/test-person.ts';
import { openWatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

// The AI builder with a language model beside the grammar: asked by a press, its differences decided, its outage survived; and the
// conversation that goes on on the draft's page. The model is scripted, and the screen says that it is a stand-in.
describe('the AI builder with a language model', async () => {
  const model = scriptedModel();
  const app = await testApp({ webRoot: WEB_ROOT }, undefined, { languageModel: model.languageModel });
  const bars = await storeMarket(app.records.database);
  app.world.marketNow = bars.at(-1)!.closedAt;
  const { rows } = await app.records.pool.query<{ symbol: string }>(
    `select symbol from instruments where kind = 'equity' order by symbol limit 1`,
  );
  const symbol = rows[0]!.symbol;
  const description = `Hold ${symbol} while it is above its 50-day average`;
  const fitting = (given = {}) => proposal({ instruments: [symbol], ...given });
  const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const browser = await launchBrowser();
  const jobs = startBacktestWorker({
    database: app.records.database,
    databaseUrl: app.records.url,
    dataDir: tmpdir(),
    readClock: async () => ({ now: app.world.marketNow, mode: 'sandbox' }),
    feePercent: 30,
    onError: (error) => expect.unreachable(String(error)),
  });
  afterAll(async () => {
    await (await jobs).stop();
    await browser.close();
  });

  const LONG = { timeout: 240_000 };
  const look = async (page: Page, name: string) => {
    const folder = process.env['LOOK_PICTURES'];
    if (folder) await page.screenshot({ path: path.join(folder, `model-${name}.png`), fullPage: true });
  };

  async function describing() {
    const { email } = await signedInPerson(app);
    const watched = await openWatchedPage(browser, base);
    const { page } = watched;
    await page.goto('/login');
    await page.getByLabel('Email Address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL('**/dashboard');
    await page.goto('/custom-strategies');
    await page.getByRole('radio', { name: 'AI Builder' }).click();
    await page.getByLabel('Describe your strategy').fill(description);
    await page.getByRole('heading', { name: 'Read by the grammar' }).waitFor();
    return watched;
  }

  const ask = (page: Page) => page.getByRole('button', { name: 'Have the stand-in read it' }).click();

  test('a difference is asked with both readings, and the draft goes on by words', LONG, async () => {
    model.script = [
      answers(fitting({ stop_percent: 7, schedule: 'day', words: [{ part: 'universe', quote: symbol }] })),
    ];
    const { page, context, violations, takeErrors } = await describing();
    await page.getByText('A stand-in, no language model').waitFor();
    await page.getByLabel('Describe your strategy').fill(`${description}, stop loss 9%`);
    await ask(page);
    await page.getByRole('heading', { name: 'Read by the stand-in' }).waitFor();
    await page.getByText('a stop of 9%').waitFor();
    await page.getByText('a stop of 7%').waitFor();
    const create = page.getByRole('button', { name: 'Create Strategy' });
    expect(await create.isDisabled()).toBe(true);
    expect(await violations()).toEqual([]);
    await look(page, 'difference');
    await page.getByRole('button', { name: 'As the grammar read it' }).click();
    await page.getByText('Closes a position that has lost 9% since entry').waitFor();
    await page.getByText('Asked once: 1200 tokens').waitFor();
    await create.click();
    await page.waitForURL('**/strategy/new?draft=*');
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await page.getByRole('heading', { name: 'Change it by words' }).waitFor(LONG);
    await page.getByText('What was said, version by version').click();
    await page.getByText('A stand-in, no language model.').first().waitFor();
    await page.getByRole('button', { name: 'Change part by part' }).click();
    await page.getByRole('button', { name: 'Change: Checked' }).click();
    await page.getByRole('button', { name: 'Weekly' }).click();
    await page.getByRole('heading', { name: 'The rules after this' }).waitFor();
    expect(await violations()).toEqual([]);
    await look(page, 'conversation');
    const save = page.getByRole('button', { name: 'Save these rules' });
    await expect.poll(() => save.isEnabled(), LONG).toBe(true);
    await save.click();
    await page.getByText('Version 2,').first().waitFor(LONG);
    expect(takeErrors()).toEqual([]);
    await context.close();
  });

  test(
    'an outage leaves the grammar standing, in a sentence, and nothing that was typed is lost',
    LONG,
    async () => {
      model.script = [fails('unreachable')];
      const { page, context, violations, takeErrors } = await describing();
      await ask(page);
      await page
        .getByText('The language model cannot be reached. The reading of the grammar stands.')
        .waitFor();
      await page.getByRole('heading', { name: 'Read by the grammar' }).waitFor();
      expect(await page.getByLabel('Describe your strategy').inputValue()).toBe(description);
      expect(await page.getByRole('button', { name: 'Create Strategy' }).isEnabled()).toBe(true);
      expect(await violations()).toEqual([]);
      await page.reload();
      expect(await page.getByLabel('Describe your strategy').inputValue()).toBe(description);
      await look(page, 'outage');
      expect(takeErrors()).toEqual([]);
      await context.close();
    },
  );
});

// From practice to the person's own account, in a browser on the whole product: practise without a broker, see it trade on the
// sandbox clock, pass the gates, promote in two clicks, and see both beside each other with their difference explained.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { ShadowComparison } from '#contract/compare-shadow.ts';
import type { Deployment } from '#contract/deployments.ts';
import type { Trade } from '#contract/trade.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { showDollars } from '#tests/support/deployment-figures.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { makeInvestor } from '#tests/support/investor.ts';
import { type ProductHome, productHome, READY_WITHIN_MS } from '#tests/support/product.ts';
import { sandboxClock } from '#tests/support/sandbox-clock.ts';
import { walkInSteps } from '#tests/support/steps.ts';
import { openWatchedPage, type WatchedPage } from '#tests/support/watched-page.ts';

const WEB = path.resolve(import.meta.dirname, '../../src/web/dist/index.html');
/** In each of six currency pairs at every close, so that it trades on its first day. */
const STRATEGY = 'Slipstream FX';
const AMOUNT = 20_000;
const PASSWORD = 'a steady hand 42';
const email = `pia-${Date.now()}@practice.example`;

let home: ProductHome;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let practiceId = '';
let realId = '';

beforeAll(async () => {
  if (!existsSync(WEB)) throw new Error('the web app is not built: npm test builds it first');
  home = await productHome();
  browser = await launchBrowser();
  await home.start({ SANDBOX_DAY_SECONDS: '5' });
  watched = await openWatchedPage(browser, home.baseUrl);
  page = watched.page;
}, READY_WITHIN_MS);

afterAll(async () => {
  await browser?.close();
  await home?.remove();
}, 60_000);

const step = walkInSteps({ timeout: 240_000 });
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();

/** Values that are marked as practice money: dotted, and said so to those who do not see it. */
const dotted = () => page.locator('.decoration-dotted', { hasText: /^practice money, / });

async function pageIsSound(): Promise<void> {
  expect(await violationsInEveryLook(watched)).toEqual([]);
  expect(watched.takeErrors()).toEqual([]);
}

async function read<Answer>(address: string): Promise<Answer> {
  const token = await page.evaluate<string>(`localStorage.getItem('token')`);
  const answer = await fetch(home.baseUrl + address, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status, address).toBe(200);
  return (await answer.json()) as Answer;
}

const show = (id: string) => read<Deployment>(`/api/deployments/${id}/`);
const untilTraded = async (id: string) => {
  await expect.poll(async () => (await show(id)).total_trades, { timeout: 120_000 }).toBeGreaterThan(3);
};
/** Of the page of a deployment, above its figures. */
const marked = (text: string) => page.getByRole('main').getByText(text, { exact: true }).first().waitFor();

step('a newcomer practises with nothing but the questionnaire', async () => {
  const strategies = await (await fetch(`${home.baseUrl}/api/strategies/`)).json();
  const { id } = (strategies as { id: string; name: string }[]).find(({ name }) => name === STRATEGY)!;
  await page.goto(`/strategy/${id}/deploy`);
  await page.waitForURL('**/login');
  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByLabel('Full Name').fill('Pia Practice');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('tabpanel').getByRole('button', { name: 'Register' }).click();
  await heading(`Deploy ${STRATEGY}`);
  await page.getByRole('radio', { name: 'Practice' }).check();
  await heading(`Practise ${STRATEGY}`);
  await page.getByText('no broker, no signature, no fee').waitFor();
  for (const [index, answer] of ANSWERS.entries()) {
    await page
      .getByText(`${index + 1} of 6`, { exact: true })
      .first()
      .waitFor();
    await page.getByRole('radio', { name: answer }).check();
    await press(index < 5 ? 'Next Question' : 'Complete Assessment');
  }
  await press('Continue');
  await page.getByLabel('Practice money').fill(String(AMOUNT));
  await page.getByRole('slider', { name: 'Max Allocation' }).press('End');
  await press('Review Deployment');
  await pageIsSound();
  await press('Start Practising');
  await page.waitForURL(/\/deployed-strategies\/[^/]+$/);
  practiceId = page.url().split('/').at(-1)!;
  await marked('Practice');
  await page.getByText('None reaches a broker, and no fee is charged.').waitFor();
});

step('it trades on the clock of the market, and is marked as practice wherever it is listed', async () => {
  await untilTraded(practiceId);
  await page.getByRole('table', { name: 'Trades History' }).getByText('Executed').first().waitFor();
  expect(await show(practiceId)).toMatchObject({ mode: 'practice', investment_amount: AMOUNT });
  await page.getByText('Practice Value', { exact: true }).waitFor();
  expect(await page.getByText('Current Value', { exact: true }).count()).toBe(0);
  expect(await dotted().count()).toBe(1);
  await pageIsSound();
  for (const address of ['/dashboard', '/deployed-strategies']) {
    await page.goto(address);
    await page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(STRATEGY) })
      .first()
      .waitFor();
    await marked('Practice');
    expect(await dotted().count()).toBe(1);
    await pageIsSound();
  }
});

step('promotion names the gate that is shut, and deploys nothing', async () => {
  await page.goto(`/deployed-strategies/${practiceId}`);
  await press('Promote');
  const sheet = page.getByRole('dialog', { name: 'Trade this strategy at your broker' });
  await sheet.getByText('The investment agreement is not signed').waitFor();
  expect(await sheet.getByRole('button', { name: /^Deploy/ }).isDisabled()).toBe(true);
  await pageIsSound();
  await sheet.getByRole('button', { name: 'Keep practising' }).click();
  expect(await read<Deployment[]>('/api/deployments/')).toHaveLength(1);
});

step('after the gates two clicks deploy it at the broker, and practice goes on beside it', async () => {
  await makeInvestor(home.baseUrl, email);
  await page.reload();
  await press('Promote');
  const sheet = page.getByRole('dialog', { name: 'Trade this strategy at your broker' });
  await sheet.getByLabel('Account').waitFor();
  await pageIsSound();
  await sheet.getByRole('button', { name: `Deploy ${showDollars(AMOUNT)}` }).click();
  await page.waitForURL(
    (url) => url.pathname.startsWith('/deployed-strategies/') && !url.pathname.endsWith(practiceId),
  );
  realId = page.url().split('/').at(-1)!;
  await marked('Paper money');
  await page.getByText('A practice shadow goes on beside it').waitFor();
  expect(await show(realId)).toMatchObject({
    mode: 'paper',
    shadow: practiceId,
    cash_balance: AMOUNT,
    open_positions: 0,
  });
  expect(await show(practiceId)).toMatchObject({ mode: 'practice', shadow_of: realId, status: 'active' });
});

step('both trade, and what their values differ by is explained to the cent on both pages', async () => {
  await untilTraded(realId);
  await sandboxClock(home.dataDir).pause();
  await expect
    .poll(async () => {
      const { practice_value: practice, real_value: real } = await compare();
      const shown = [await show(practiceId), await show(realId)].map(({ equity }) => cents(equity));
      return JSON.stringify([cents(practice), cents(real)]) === JSON.stringify(shown);
    }, WHILE_IT_SETTLES)
    .toBe(true);
  // Practice held positions before the real one began.
  expect((await compare()).causes.map(({ cause }) => cause)).toContain('earlier');
  for (const id of [realId, practiceId]) {
    await page.goto(`/deployed-strategies/${id}?tab=explained`);
    const panel = page.getByRole('region', { name: 'Beside Practice' });
    await expect
      .poll(async () => {
        const { practice_value: practice, real_value: real, difference } = await compare();
        const words = difference < 0 ? 'Practice is behind by' : 'Practice is ahead by';
        const text = await panel.innerText();
        return [practice, real, Math.abs(difference)]
          .map(showDollars)
          .concat(words)
          .filter((one) => !text.includes(one));
      }, WHILE_IT_SETTLES)
      .toEqual([]);
    await panel.getByText('Positions from before yours began').waitFor();
    expect(await dotted().count()).toBe(id === practiceId ? 1 : 0);
    await pageIsSound();
  }
});

step('the trades of practice are in no list of the real one, nor in a total', async () => {
  const ofPractice = await read<Trade[]>(`/api/deployments/${practiceId}/trades/`);
  const ofReal = await read<Trade[]>(`/api/deployments/${realId}/trades/`);
  const ids = new Set(ofPractice.map(({ id }) => id));
  expect(ofReal.filter(({ id }) => ids.has(id))).toEqual([]);
  const { performance } = await read<{ performance: { data: number[] } }>('/api/auth/me/');
  const { equity } = await show(realId);
  expect(performance.data.at(-1)).toBe(equity);
  await page.goto('/dashboard');
  await marked('Practice');
  await marked('Paper money');
  // One of the two values in the list; no total is of practice money.
  expect(await dotted().count()).toBe(1);
  await pageIsSound();
});

const cents = (amount: number) => Math.round(amount * 100);

/** Whenever it is asked, the causes sum to the difference of the values. */
async function compare(): Promise<ShadowComparison> {
  const compared = await read<ShadowComparison>(`/api/deployments/${practiceId}/shadow/`);
  const { practice_value: practice, real_value: real, difference, causes } = compared;
  expect(cents(difference)).toBe(cents(practice) - cents(real));
  expect(causes.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(cents(difference));
  return compared;
}

/** The market is paused, and the trader looks at it a last time. */
const WHILE_IT_SETTLES = { timeout: 60_000, interval: 700 };

const ANSWERS = [
  /^Advanced/,
  /^Speculation/,
  /^In more than 5 years/,
  /^Buy more/,
  /^Growing/,
  /^A small portion/,
];

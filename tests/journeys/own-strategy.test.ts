// From a sentence to a deployment, for each example of the builder: described, tested, practised in a browser on the whole product;
// and the first of them goes on from practice to the person's own account.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Deployment } from '#contract/deployments.ts';
import type { StrategyDetail } from '#contract/strategies/strategies.ts';
import { PRACTICE_DAYS } from '#rules/deployments/own-strategy.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { INVESTOR_PASSWORD, makeInvestor } from '#tests/support/investor.ts';
import { type ProductHome, productHome, READY_WITHIN_MS } from '#tests/support/product.ts';
import { walkInSteps } from '#tests/support/steps.ts';
import { openWatchedPage, type WatchedPage } from '#tests/support/watched-page.ts';

const WEB = path.resolve(import.meta.dirname, '../../src/web/dist/index.html');
const email = `olive-${Date.now()}@own.example`;
const EXAMPLES = [
  { label: 'Trend-following crypto' },
  { label: 'Mean reversion forex' },
  // There is no list of blue chips: it asks.
  { label: 'Low-risk options on blue chips', answer: 'The market fund' },
];

let home: ProductHome;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
const practised: { draft: string; deployment: string }[] = [];

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

const step = walkInSteps({ timeout: 300_000 });
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();

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

const strategyOf = (draft: string) => read<StrategyDetail>(`/api/strategies/${draft}/`);

step('an investor signs in, and opens the builder', async () => {
  await makeInvestor(home.baseUrl, email);
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(INVESTOR_PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
});

for (const { label, answer } of EXAMPLES) {
  step(`${label}: described, tested and practised`, async () => {
    await page.goto('/custom-strategies');
    await page.getByRole('radio', { name: 'AI Builder' }).click();
    await page.getByRole('button', { name: label }).click();
    if (answer !== undefined) await press(answer);
    await press('Create Strategy');
    await page.waitForURL('**/strategy/new?draft=*');
    const draft = new URL(page.url()).searchParams.get('draft')!;
    await page.getByRole('button', { name: 'Attack this strategy' }).first().waitFor({ timeout: 120_000 });
    await page.getByRole('tab', { name: 'Practise and deploy' }).click();
    await page.getByRole('heading', { name: 'Deploy it' }).waitFor();
    await page.getByText(`practise them for ${PRACTICE_DAYS} trading days`).waitFor();
    await press('Attack this strategy');
    await page.getByRole('table', { name: 'What each attack found' }).waitFor({ timeout: 180_000 });
    await pageIsSound();
    await page.getByRole('link', { name: 'Practise These Rules' }).first().click();
    await page.getByRole('heading', { name: /^Practise / }).waitFor();
    await page.getByText('Practice first').waitFor();
    expect(await page.getByRole('radio', { name: 'Your account' }).count()).toBe(0);
    await press('Review Deployment');
    await pageIsSound();
    await press('Start Practising');
    await page.waitForURL(/\/deployed-strategies\/[^/]+$/);
    practised.push({ draft, deployment: page.url().split('/').at(-1)! });
  });
}

step('whoever deploys in spite of the verdict says so by name', async () => {
  const { draft } = practised[0]!;
  await page.goto(`/strategy/new?draft=${draft}&tab=deploy`);
  await page.getByRole('heading', { name: 'Deploy it' }).waitFor({ timeout: 60_000 });
  const { attack } = await read<{ attack: { verdict: string } }>(`/api/strategies/${draft}/attack/`);
  if (attack.verdict === 'withstood') return;
  await page.getByLabel('I have read the verdict').fill('Somebody Else');
  await press('Accept by Name');
  await page.getByText('Write your name as it is in your account: Ivo.').waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);
  // The refusal alone.
  expect(watched.takeErrors().filter((line) => !line.includes('422'))).toEqual([]);
  await page.getByLabel('I have read the verdict').fill('Ivo');
  await press('Accept by Name');
  await page.getByText('You accepted the verdict').waitFor();
});

step(
  'after days of practice the rules are deployed with money, without a fee, and stay as they are',
  async () => {
    const { draft, deployment } = practised[0]!;
    await expect
      .poll(async () => (await strategyOf(draft)).practice_first_note, { timeout: 120_000, interval: 1_000 })
      .toBeNull();
    await page.goto(`/deployed-strategies/${deployment}`);
    await press('Promote');
    const sheet = page.getByRole('dialog', { name: 'Trade this strategy at your broker' });
    await sheet.getByLabel('Account').waitFor();
    await sheet.getByRole('button', { name: /^Deploy \$/ }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(deployment));
    const real = page.url().split('/').at(-1)!;
    expect(await read<Deployment>(`/api/deployments/${real}/`)).toMatchObject({
      mode: 'paper',
      is_own_strategy: true,
      strategy: draft,
      shadow: deployment,
    });
    await page.goto(`/deployed-strategies/${real}?tab=cash`);
    await page.getByText('You pay no performance fee on rules that you wrote.').waitFor();
    await pageIsSound();
    await page.goto(`/strategy/new?draft=${draft}`);
    await page.getByText('Only you can see it, and it trades.').waitFor();
    await page.getByRole('slider').first().press('ArrowRight');
    await page.getByText('This makes a copy with the new numbers.').waitFor();
    await pageIsSound();
    await press('Copy and test');
    await page.waitForURL((url) => url.searchParams.get('draft') !== draft);
    await page.getByRole('heading', { name: /^Copy of / }).waitFor();
  },
);

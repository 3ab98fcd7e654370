// The main path in a browser, from the home page to the running deployment, by a first-time visitor.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Deployment } from '../../src/contract/deployments.ts';
import type { Trade } from '../../src/contract/trade.ts';
import { nextSession } from '../../src/engine/market/calendar.ts';
import { DEMO_EMAIL, DEMO_PASSWORD } from '../../src/processes/demo-world/demo-account/demo-user.ts';
import { parseInstant } from '../../src/units/instant.ts';
import { launchBrowser } from '../support/browser.ts';
import { reckon, showDollars, showGain } from '../support/deployment-figures.ts';
import { type ProductHome, productHome, READY_WITHIN_MS, type RunningProduct } from '../support/product.ts';
import { sandboxClock } from '../support/sandbox-clock.ts';
import { walkInSteps } from '../support/steps.ts';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.ts';

const WEB = path.resolve(import.meta.dirname, '../../src/web/dist/index.html');
const STRATEGY = 'Compass Trend';
const AMOUNT = 12_345;
const PASSWORD = 'a long journey 7';
const email = `newcomer-${Date.now()}@journey.example`;

let home: ProductHome;
let product: RunningProduct;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let deploymentId = '';

beforeAll(async () => {
  if (!existsSync(WEB)) throw new Error('the web app is not built: npm test builds it first');
  home = await productHome();
  browser = await launchBrowser();
  product = await home.start({ SANDBOX_DAY_SECONDS: '5' });
  watched = await openWatchedPage(browser, home.baseUrl);
  page = watched.page;
}, 2 * READY_WITHIN_MS);

afterAll(async () => {
  await browser?.close();
  await home?.remove();
}, 60_000);

const clock = () => sandboxClock(home.dataDir);
/** Waits inside a step have their own limits, whose errors name what did not come. */
const step = walkInSteps({ timeout: 240_000 });

/** Every page at the end of a step passes the accessibility rules and logged no error on its way. */
async function pageIsSound(): Promise<void> {
  expect(await watched.violations()).toEqual([]);
  expect(watched.takeErrors()).toEqual([]);
}

/** The trader may be busy with a close. */
const PATIENTLY = { timeout: 60_000 };
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();

async function read<Answer>(path: string): Promise<Answer> {
  const token = await page.evaluate<string>(`localStorage.getItem('token')`);
  const answer = await fetch(home.baseUrl + path, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(30_000),
  }).catch((cause: unknown) => {
    throw new Error(`no answer to ${path}`, { cause });
  });
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as Answer;
}

step('a visitor reads the home page', async () => {
  await page.goto('/');
  await heading(/check before you trust/);
  await page
    .getByRole('link', { name: new RegExp(STRATEGY) })
    .first()
    .waitFor();
  await pageIsSound();
});

step('finds a strategy in the marketplace by search and filter', async () => {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'AI Model Marketplace' })
    .click();
  await heading('AI Model Marketplace');
  const cards = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') });
  await expect.poll(() => cards.count()).toBeGreaterThanOrEqual(10);
  await pageIsSound();
  await page.getByRole('combobox', { name: 'Market' }).selectOption('stocks');
  await page.getByRole('combobox', { name: 'Risk' }).selectOption('low');
  await page.getByLabel('Search for strategies').fill('compass');
  await expect.poll(() => cards.allInnerTexts()).toEqual([expect.stringContaining(STRATEGY)]);
  await page.getByLabel('Search for strategies').fill('no such thing');
  await page.getByText('No strategies match your criteria').waitFor();
  await press('Clear filters');
  await expect.poll(() => cards.count()).toBeGreaterThanOrEqual(10);
});

step('weighs the strategy and presses Deploy Now', async () => {
  await page
    .getByRole('link', { name: new RegExp(STRATEGY) })
    .first()
    .click();
  await heading(STRATEGY);
  await page.getByRole('tab', { name: 'Returns' }).click();
  await heading('Monthly Returns');
  await pageIsSound();
  await page.getByRole('link', { name: 'Deploy Now' }).first().click();
  await page.waitForURL('**/login');
});

step('registers and is back where they wanted to go', async () => {
  await page.getByRole('tab', { name: 'Register' }).click();
  await pageIsSound();
  await page.getByLabel('Full Name').fill('Nora Newcomer');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('tabpanel').getByRole('button', { name: 'Register' }).click();
  await page.waitForURL(/\/strategy\/[^/]+\/deploy/);
  await heading(`Deploy ${STRATEGY}`);
});

step('answers six questions and reads what they came to', async () => {
  await pageIsSound();
  for (const [index, answer] of ANSWERS.entries()) {
    await page.getByRole('progressbar', { name: 'Questions' }).waitFor();
    await page
      .getByText(`${index + 1} of 6`, { exact: true })
      .first()
      .waitFor();
    await page.getByRole('radio', { name: answer }).check();
    await press(index < 5 ? 'Next Question' : 'Complete Assessment');
  }
  await page.getByText('out of 100').waitFor();
  await page.getByText('Recommendations').waitFor();
  await pageIsSound();
  await press('Continue');
});

step('says their age and country', async () => {
  await page.getByLabel('Date of birth').fill('1988-02-29');
  await page.getByLabel('Country of residence').selectOption('US');
  await pageIsSound();
  await press('Continue');
  await page.getByText('You pay none: in the United States').waitFor();
});

step('signs the agreement in the page inside the page', async () => {
  await press('Sign Agreement');
  const signing = page.frameLocator('iframe[title="Signing page"]');
  await signing.locator('.text').evaluate((text) => text.scrollTo(0, text.scrollHeight));
  for (const box of await signing.getByRole('checkbox').all()) await box.check();
  await signing.getByLabel('Type your full name to sign').fill('Nora Newcomer');
  await pageIsSound();
  await signing.getByRole('button', { name: 'Finish Signing!' }).click();
  await heading(/Broker/);
});

step('connects a new practice account in the broker’s own window', async () => {
  await page.getByRole('radio', { name: /Interactive Brokers/ }).check();
  await pageIsSound();
  await press(/^Connect to Interactive Brokers/);
  const opened = page.waitForEvent('popup');
  await press('Click Here To Connect');
  const broker = await opened;
  await broker.getByLabel('Choose a user name').fill(`nora${Date.now() % 1_000_000}`);
  await broker.getByLabel('Choose a password').fill(PASSWORD);
  await broker.getByRole('button', { name: 'Open the account' }).click();
  await broker.getByRole('button', { name: 'Approve' }).click();
  await page.getByLabel('Investment Amount').waitFor();
});

step('sets the amount and the limits', async () => {
  await page.getByLabel('Investment Amount').fill('10');
  await page
    .getByText(/[Mm]inimum/)
    .first()
    .waitFor();
  expect(await page.getByRole('button', { name: 'Review Deployment' }).isDisabled()).toBe(true);
  await page.getByLabel('Investment Amount').fill(String(AMOUNT));
  await page.getByRole('slider', { name: 'Max Allocation' }).press('End');
  await pageIsSound();
  await press('Review Deployment');
});

step('deploys, and lands on the deployment', async () => {
  await page.getByText('Investment Agreement Signed').waitFor();
  await page.getByRole('main').getByText(showDollars(AMOUNT)).first().waitFor();
  await pageIsSound();
  await clock().advanceTo(await nextMonday());
  await press('Deploy Strategy');
  await page.waitForURL(/\/deployed-strategies\/[^/]+$/);
  deploymentId = page.url().split('/').at(-1)!;
  await heading(STRATEGY);
});

step('sees the first fill within three sessions of the market', async () => {
  const table = page.getByRole('table', { name: 'Trades History' });
  await table.getByText('Executed').first().waitFor({ timeout: 60_000 });
  const { deployed_at } = await read<Deployment>(`/api/deployments/${deploymentId}/`);
  const trades = await read<Trade[]>(`/api/deployments/${deploymentId}/trades/`);
  const filledAt = trades.flatMap(({ executed_at }) => executed_at ?? []).sort()[0]!;
  // Sessions, not days: before a long weekend the next one opens four days later.
  let lastClose = parseInstant(deployed_at);
  for (let count = 0; count < 3; count++) lastClose = nextSession('us-equity', lastClose).closesAt;
  expect(parseInstant(filledAt)).toBeLessThanOrEqual(lastClose);
});

step('reads positions, trades and performance that agree to the cent', async () => {
  await untilPoints(3);
  await clock().pause();
  const deployment = await settled();
  const trades = await read<Trade[]>(`/api/deployments/${deploymentId}/trades/`);
  const performance = await read<{ data: number[] }>(
    `/api/deployments/${deploymentId}/performance/?timeframe=ALL`,
  );
  const reckoned = reckon(deployment, trades);
  expect(reckoned.fromPositions).toBe(deployment.equity);
  expect(reckoned.fromProfits).toBe(deployment.equity);
  expect(reckoned.cashFromTrades).toBe(deployment.cash_balance);
  expect(performance.data.at(-1)).toBe(deployment.equity);
  expect(Object.fromEntries(reckoned.quantities)).toEqual(
    Object.fromEntries(deployment.positions.map(({ ticker, quantity }) => [ticker, quantity])),
  );
  await expect.poll(figuresOnScreen, { timeout: 20_000 }).toEqual({
    'Current Value': showDollars(deployment.equity),
    'Initial Investment': showDollars(AMOUNT),
    'Position Value': showDollars(deployment.position_value),
    'Cash Balance': showDollars(deployment.cash_balance),
    'Unrealized P&L': showGain(deployment.unrealized_pnl),
    'Realized P&L': showGain(deployment.total_pnl),
    'Orders filled': String(deployment.total_trades),
  });
  // The tables have their own calls and may update one refresh later; the market's clock is paused.
  await expect
    .poll(() => columnsOf('Active Positions', ['Symbol', 'Notional Value']), { timeout: 20_000 })
    .toEqual(deployment.positions.map((one) => [one.ticker, showDollars(one.notional_value)]));
  await expect
    .poll(() => columnsOf('Trades History', ['Type', 'Symbol', 'Total Amount']), { timeout: 20_000 })
    .toEqual(
      trades
        .slice(0, 25)
        .map((one) => [one.trade_type === 'buy' ? 'Buy' : 'Sell', one.ticker, showDollars(one.total_amount)]),
    );
  await pageIsSound();
  await clock().resume();
});

step('pauses and resumes trading', async () => {
  await press('Pause Trading');
  await page.getByRole('button', { name: 'Resume Trading' }).waitFor();
  await expect
    .poll(async () => (await read<Deployment>(`/api/deployments/${deploymentId}/`)).status, PATIENTLY)
    .toBe('paused');
  await press('Resume Trading');
  await page.getByRole('button', { name: 'Pause Trading' }).waitFor();
  await expect
    .poll(async () => (await read<Deployment>(`/api/deployments/${deploymentId}/`)).status, PATIENTLY)
    .toBe('active');
});

step('changes a limit', async () => {
  await press('Settings');
  const dialog = page.getByRole('dialog', { name: 'Strategy Settings' });
  await dialog.getByRole('slider', { name: 'Stop loss' }).press('Home');
  await pageIsSound();
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const { stop_loss_percentage } = await read<Deployment>(`/api/deployments/${deploymentId}/`);
  await page.getByText(`Stop loss at ${stop_loss_percentage}%`).waitFor();
  expect(stop_loss_percentage).toBeLessThan(10);
});

step('reads in the bell what happened', async () => {
  await page.goto('/dashboard');
  await page.getByRole('button', { name: /^Notifications, \d+\+? unread/ }).click();
  const panel = page.getByRole('region', { name: 'Notifications' });
  for (const said of [/Trading started|Strategy deployed/, /Trading paused/, /Trading resumed/, /[Bb]ought /])
    await panel.getByText(said).first().waitFor();
  await panel.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  await page.keyboard.press('Escape');
});

step('finds the deployment on the dashboard and in the list', async () => {
  await heading('Your strategies');
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(STRATEGY) })
    .first()
    .waitFor();
  await page.getByRole('heading', { name: 'Portfolio Performance' }).waitFor();
  await pageIsSound();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Deployed Models' }).click();
  await page.getByRole('article').getByRole('link', { name: STRATEGY, exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Paused' });
  await page.getByText('No strategies match your filters').waitFor();
  await pageIsSound();
});

step('signs out, and nothing personal is left', async () => {
  await press(/^User menu/);
  await press('Sign Out');
  await page.waitForURL('**/login');
  await page.goto('/dashboard');
  await page.waitForURL('**/login');
  const kept = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  expect(kept.filter((key) => !/^(theme$|chartRange\.)/.test(key))).toEqual([]);
  expect(watched.takeErrors()).toEqual([]);
});

step('the demo account shows weeks of trading', async () => {
  await page.getByLabel('Email Address').fill(DEMO_EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('tabpanel').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
  await heading('Portfolio Performance');
  const deployments = await read<Deployment[]>('/api/deployments/');
  expect(deployments.length).toBeGreaterThanOrEqual(4);
  for (const { id, strategy_name, total_trades } of deployments) {
    const path = `/api/deployments/${id}/performance/?timeframe=ALL`;
    const { data } = await read<{ data: number[] }>(path);
    expect(data.length, strategy_name).toBeGreaterThan(20);
    expect(total_trades, strategy_name).toBeGreaterThan(0);
  }
  await page.getByRole('button', { name: /^Notifications, \d+\+? unread/ }).waitFor();
  await pageIsSound();
});

step('Ctrl-C ends the product cleanly', async () => {
  await page.goto('about:blank');
  const { code, output } = await product.stop();
  expect(output).not.toMatch(/error|could not|ended \(/i);
  expect(code).toBe(0);
});

/** The beginning of a week: the next three days contain no weekend. */
async function nextMonday(): Promise<string> {
  const now = Date.parse(await clock().now());
  const day = 86_400_000;
  for (let at = now - (now % day) + day; ; at += day)
    if (new Date(at).getUTCDay() === 1) return new Date(at).toISOString();
}

async function untilPoints(count: number): Promise<void> {
  const path = `/api/deployments/${deploymentId}/performance/?timeframe=ALL`;
  await expect
    .poll(async () => (await read<{ data: number[] }>(path)).data.length, { timeout: 120_000 })
    .toBeGreaterThanOrEqual(count);
}

/**
 * The deployment once the trader has looked at the paused market: the same answer three times in a row. The time of its
 * last look at the broker is on the real clock, which is not paused.
 */
async function settled(): Promise<Deployment> {
  let last = '';
  for (let [turn, same] = [0, 0]; ; turn++) {
    await page.waitForTimeout(700);
    const { broker_session, ...deployment } = await read<Deployment>(`/api/deployments/${deploymentId}/`);
    const text = JSON.stringify(deployment);
    same = text === last ? same + 1 : 0;
    if (same === 3) return { broker_session, ...deployment };
    if (turn === 60) expect(text, 'the figures stand still while the market is paused').toBe(last);
    last = text;
  }
}

async function figuresOnScreen(): Promise<Record<string, string>> {
  const figures = page.getByRole('region', { name: 'Figures' });
  const shown: Record<string, string> = {};
  for (const label of FIGURES) {
    const term = figures.locator('dt', { hasText: new RegExp(`^${label}$`) });
    shown[label] = (await term.locator('xpath=following-sibling::dd[1]').textContent()) ?? '';
  }
  return shown;
}

const FIGURES = [
  'Current Value',
  'Initial Investment',
  'Position Value',
  'Cash Balance',
  'Unrealized P&L',
  'Realized P&L',
  'Orders filled',
];

async function columnsOf(caption: string, wanted: readonly string[]): Promise<string[][]> {
  const table = page.getByRole('table', { name: caption });
  const headers = await table.getByRole('columnheader').allTextContents();
  const places = wanted.map((name) => headers.indexOf(name));
  const rows = await table.locator('tbody tr').all();
  return Promise.all(
    rows.map(async (row) => {
      const cells = await row.getByRole('cell').allInnerTexts();
      return places.map((place) => cells[place] ?? '');
    }),
  );
}

const ANSWERS = [
  /^Intermediate/,
  /^Growth/,
  /^In more than 5 years/,
  /^Keep it/,
  /^Stable/,
  /^A small portion/,
];

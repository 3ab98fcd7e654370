import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { columnsOf, expectTexts, personPage } from '#tests/support/person-page.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

const browser = await launchBrowser();
afterAll(() => browser.close());

// A strategy's page, its chart, and the marketplace that knows the person.
const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const strategy = await publishedStrategy(app, { name: 'Calm Trend' });
let page: Page;
afterEach(() => page.context().close());

const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();

async function open(address: string, person?: TestPerson): Promise<void> {
  page = await personPage(browser, base, person);
  await page.goto(address);
}

test('strategy: the first screen has money, chart, for and against; each tab has an address and the back button leaves it', async () => {
  await open(`/strategy/${strategy}`);
  await page.getByRole('region', { name: 'Performance History' }).waitFor();
  await expectTexts(page.getByRole('main'), ['Medium', 'Momentum', 'US', 'For', 'Against']);
  await expect.poll(() => page.getByRole('link', { name: 'Deploy Now' }).count()).toBe(2);
  expect(await page.getByLabel('Your amount').inputValue()).toBe('10000');
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  await page.getByRole('heading', { name: 'How much to trust this' }).waitFor();
  await tab('Returns').click();
  await expectTexts(page.getByRole('main'), [
    'Backtest Results',
    'Returns since inception',
    'Annual return',
    'Sharpe ratio',
    'Minimum investment',
    'Annualized volatility',
    'Sortino ratio',
    'Max drawdown',
  ]);
  for (const panel of ['Returns', 'Risk Metrics'])
    await page.getByRole('region', { name: panel, exact: true }).first().waitFor();
  expect((await columnsOf(page, 'Monthly Returns')).slice(0, 3)).toEqual(['Year', 'Jan', 'Feb']);
  await tab('Returns').press('ArrowRight');
  expect(new URL(page.url()).search).toBe('?tab=trades');
  await page.getByRole('region', { name: 'Trading Statistics' }).first().waitFor();
  await expectTexts(page.getByRole('main'), [
    'Total trades',
    'Win rate',
    'Average trade return',
    'Average holding period',
  ]);
  expect(await columnsOf(page, 'Recent Trades')).toEqual(
    expect.arrayContaining(['Symbol', 'Entry Date', 'Exit Date', 'Entry Price', 'Exit Price', 'Return']),
  );
  const log = page.getByRole('link', { name: /Download Complete Trade Log/ });
  expect(await log.getAttribute('target')).toBe('_blank');
  await page.goBack();
  await page.getByRole('table', { name: 'Monthly Returns' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'How much to trust this' }).waitFor();
});

test('a strategy of hours says why nobody can deploy it, before the first click and after it', async () => {
  const hours = await publishedStrategy(app, { name: 'Hourly Trend', interval: '1h' });
  const why =
    'This strategy reads bars of 1h, and the prices here have no such bars in time to trade on: it can be backtested, and not deployed.';
  await open(`/strategy/${hours}`);
  await page.getByRole('region', { name: 'Performance History' }).waitFor();
  await says(why);
  expect(await page.getByRole('link', { name: 'Deploy Now' }).count()).toBe(0);
  const person = await signedInPerson(app);
  await page.context().close();
  await open(`/strategy/${hours}/deploy`, person);
  await page.getByRole('heading', { name: 'Hourly Trend cannot be deployed' }).waitFor();
  await says(why);
  await page.getByRole('link', { name: 'Back to the Strategy' }).click();
  await page.getByRole('heading', { name: 'Hourly Trend', exact: true }).waitFor();
});

test('a chart: a drag zooms, Show all goes back, and keys do the same', async () => {
  await open(`/strategy/${strategy}`);
  const chart = page.getByRole('slider', { name: 'Performance History: day' });
  await chart.waitFor();
  const whole = Number(await chart.getAttribute('aria-valuemax'));
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.4, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 120, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Number(await chart.getAttribute('aria-valuemax'))).toBeLessThan(whole);
  await press('Show all');
  await expect.poll(async () => Number(await chart.getAttribute('aria-valuemax'))).toBe(whole);
  await chart.press('+');
  await expect.poll(async () => Number(await chart.getAttribute('aria-valuemax'))).toBeLessThan(whole);
  await chart.press('0');
  await expect.poll(async () => Number(await chart.getAttribute('aria-valuemax'))).toBe(whole);
});

test('the marketplace says what fits, compares two and keeps what is watched', async () => {
  const person = await signedInPerson(app);
  await publishedStrategy(app, { name: 'Wild Coins', riskScore: 5 });
  await open('/marketplace?money=1000', person);
  await says('Needs $4,000 more');
  const compare = (name: string) => page.getByRole('button', { name: `Compare ${name}` }).click();
  await compare('Calm Trend');
  await says('Choose a second strategy to compare with Calm Trend.');
  await compare('Wild Coins');
  await page.getByRole('table', { name: 'Compared strategies' }).waitFor();
  const watch = page.getByRole('button', { name: 'Watch Calm Trend' });
  await watch.click();
  await expect.poll(() => watch.getAttribute('aria-pressed')).toBe('true');
  await page.goto('/marketplace?fit=watched');
  await says(/1 of \d+ strategies/);
});

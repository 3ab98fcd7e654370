// A deployment's page says why something was not ordered: reasons as sentences, each once, and honest without any.
import path from 'node:path';
import { type Browser, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { RefusedOrder } from '../../src/engine/order/order.ts';
import { insertReceipts } from '#records/deployments/receipts.ts';
import type { DeploymentId, Symbol } from '../../src/units/identifiers.ts';
import { parseInstant } from '../../src/units/instant.ts';
import { launchBrowser } from '../support/browser.ts';
import { failAt } from '../support/person-page.ts';
import { testApp } from '../support/test-app.ts';
import { tradedDeployment } from '../support/test-deployment.ts';
import type { TestPerson } from '../support/test-person.ts';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.ts';

const app = await testApp({ webRoot: path.resolve(import.meta.dirname, '../../src/web/dist') });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser: Browser = await launchBrowser();
afterAll(() => browser.close());
const { person, deploymentId } = await tradedDeployment(app);

let watched: WatchedPage;
let page: Page;
let section: Locator;
afterEach(() => watched.context.close());

async function open({ token, refresh }: TestPerson): Promise<void> {
  watched = await openWatchedPage(browser, base);
  ({ page } = watched);
  await page.goto('/robots.txt');
  await page.evaluate(
    `localStorage.setItem('token', '${token}'); localStorage.setItem('refreshToken', '${refresh}')`,
  );
  await page.goto(`/deployed-strategies/${deploymentId}`);
  section = page.getByRole('region', { name: 'Why It Did Not Trade' });
  await section.waitFor();
}

const refused = (code: 'within_band' | 'awaiting_sales' | 'no_cash', ...symbols: string[]): RefusedOrder[] =>
  symbols.map((symbol) => ({ symbol: symbol as Symbol, code }));

const decide = (time: string, cause: string, ...refusals: RefusedOrder[]) =>
  app.records.database.transaction().execute((trx) =>
    insertReceipts(trx, [
      {
        deploymentId: deploymentId as DeploymentId,
        targetId: null,
        at: parseInstant(time),
        cause,
        refusals,
      },
    ]),
  );

test('nothing was refused: it says so; what is refused next appears without a reload', async () => {
  await open(person);
  await section.getByText('No trade has been skipped or made smaller so far.').waitFor();
  expect(await watched.violations()).toEqual([]);
  await decide('2026-01-06T21:00:00Z', 'target', ...refused('within_band', 'SPY'));
  await section.getByText('Already close enough to its target.').waitFor();
  expect(await section.getByText('No trade has been skipped').count()).toBe(0);
});

test('each decision with its time, its occasion and its reasons, a symbol beside its reason and not in it', async () => {
  await decide(
    '2026-01-07T21:00:00Z',
    'target',
    ...refused('within_band', 'SPY', 'AGG'),
    ...refused('awaiting_sales', 'GLD'),
    ...refused('within_band', 'TLT'),
  );
  await decide('2026-01-08T14:30:00Z', 'fill:x', ...refused('no_cash', 'GLD'));
  await open(person);
  const decisions = section.getByRole('listitem');
  await expect.poll(() => decisions.count()).toBe(3);
  const words = async (place: number) =>
    (await decisions.nth(place).innerText()).split('\n').filter((line) => line.trim() !== '');
  expect(await words(0)).toEqual([
    '8 Jan 2026, 14:30 UTC',
    'An order was filled',
    'GLD',
    'There is not enough cash for the smallest order.',
  ]);
  expect(await words(1)).toEqual([
    '7 Jan 2026, 21:00 UTC',
    'The strategy decided',
    'SPY, AGG, TLT',
    'Already close enough to its target.',
    'GLD',
    'Waiting for the sales that pay for it.',
  ]);
  expect(await watched.violations()).toEqual([]);
  expect(watched.takeErrors()).toEqual([]);
});

test('five decisions stand at once, older ones come on request, and all of them on paper', async () => {
  for (let day = 12; day < 17; day++)
    await decide(`2026-01-${day}T21:00:00Z`, 'target', ...refused('within_band', 'SPY'));
  await open(person);
  const decisions = section.getByRole('listitem');
  const more = section.getByRole('button', { name: 'Show 3 more of 8' });
  await more.waitFor();
  await expect.poll(() => decisions.count()).toBe(5);
  await page.evaluate(`addEventListener('beforeprint', () => {
    globalThis.printed = document.querySelectorAll('[aria-labelledby=why-not-traded] li').length;
  })`);
  await page.pdf();
  expect(await page.evaluate('globalThis.printed')).toBe(8);
  await expect.poll(() => decisions.count()).toBe(5);
  await more.click();
  await expect.poll(() => decisions.count()).toBe(8);
  expect(await more.count()).toBe(0);
});

test('reasons that cannot be read are no empty list', async () => {
  await open(person);
  const mend = await failAt(page, '**/refusals/**');
  await page.reload();
  await section.getByText('The reasons could not be loaded').waitFor();
  expect(await section.getByText('No trade has been skipped').count()).toBe(0);
  await mend();
  await section.getByRole('button', { name: 'Try Again' }).click();
  await section.getByRole('listitem').first().waitFor();
});

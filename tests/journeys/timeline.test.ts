// A deployment's page says day by day what was decided, bought, sold and left, and why; a receipt opens from it and replays.
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { RefusedOrder } from '#engine/order/order.ts';
import { insertReceipts } from '#records/deployments/receipts.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { allOn, decidingModel } from '#tests/support/deciding-model.ts';
import { failAt } from '#tests/support/person-page.ts';
import { testApp } from '#tests/support/test-app.ts';
import { tradedDeployment } from '#tests/support/test-deployment.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { openWatchedPage, type WatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';
import type { DeploymentId, Symbol, TargetId } from '#units/identifiers.ts';
import { parseInstant } from '#units/instant.ts';

const browser = await launchBrowser();
const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const world = await tradingWorld(app.records);
const { person, deploymentId } = await tradedDeployment(app);
afterAll(async () => {
  await world.trader.close();
  await browser.close();
});

let watched: WatchedPage;
let page: Page;
let section: Locator;
afterEach(() => watched.context.close());

async function open(id: string, { token, refresh }: { token: string; refresh: string }): Promise<void> {
  watched = await openWatchedPage(browser, base);
  ({ page } = watched);
  await page.goto('/robots.txt');
  await page.evaluate(
    `localStorage.setItem('token', '${token}'); localStorage.setItem('refreshToken', '${refresh}')`,
  );
  await page.goto(`/deployed-strategies/${id}?tab=timeline`);
  section = page.getByRole('region', { name: 'Timeline' });
  await section.waitFor();
}

const refused = (code: 'within_band' | 'awaiting_sales' | 'no_cash', ...symbols: string[]): RefusedOrder[] =>
  symbols.map((symbol) => ({ symbol: symbol as Symbol, code }));

const decide = (time: string, cause: string, ...refusals: RefusedOrder[]) =>
  app.records.database.transaction().execute((trx) =>
    insertReceipts(trx, [
      {
        deploymentId: deploymentId as DeploymentId,
        targetId: cause === 'target' ? (randomUUID() as TargetId) : null,
        at: parseInstant(time),
        cause,
        refusals,
        decision: null,
      },
    ]),
  );

test('a new decision appears without a reload, each reason once with what it holds for', async () => {
  await open(deploymentId, person);
  await section.getByText('Nothing has happened yet').waitFor();
  await decide(
    '2026-01-07T21:00:00Z',
    'target',
    ...refused('within_band', 'TLT', 'AGG'),
    ...refused('no_cash', 'GLD'),
  );
  await section.getByText('TLT, AGG').waitFor();
  await section.getByText('Already close enough to its target.').waitFor();
  await section.getByText('There is not enough cash for the smallest order.').waitFor();
  expect(await watched.violations()).toEqual([]);
  expect(watched.takeErrors()).toEqual([]);
});

test('a timeline that cannot be loaded does not show as an empty one', async () => {
  await open(deploymentId, person);
  const mend = await failAt(page, '**/decisions/**');
  await page.reload();
  await section.getByText('The timeline could not be loaded').waitFor();
  expect(await section.getByText('Nothing has happened yet').count()).toBe(0);
  await mend();
  await section.getByRole('button', { name: 'Try Again' }).click();
  await section.getByText('TLT, AGG').waitFor();
});

test('each part has its own address, which a reload keeps and the back button leaves', async () => {
  await open(deploymentId, person);
  const parts = page.getByRole('tablist', { name: 'Details' });
  await parts.getByRole('tab', { name: 'Why this result' }).click();
  await page.getByRole('heading', { name: 'From the Published Return to Yours' }).waitFor();
  expect(new URL(page.url()).search).toBe('?tab=explained');
  await page.reload();
  await page.getByRole('heading', { name: 'From the Published Return to Yours' }).waitFor();
  expect(await watched.violations()).toEqual([]);
  await page.goBack();
  await section.waitFor();
  await page.goto(`/deployed-strategies/${deploymentId}?tab=no-such-part`);
  await page.getByRole('heading', { name: 'Active Positions' }).waitFor();
  expect(watched.takeErrors()).toEqual([]);
});

/** Its deployment has traded; somebody who can sign in has it. */
async function tradedBySomebody(definition: object) {
  const { market } = world;
  const id = await world.deploy(await world.addStrategy(definition));
  market.closeDay();
  await world.runTicks();
  market.openDay();
  await world.runTicks();
  const owner = await signedInPerson(app);
  const { pool } = app.records;
  await pool.query('update deployments set user_id = $2 where id = $1', [id, owner.id]);
  await pool.query(
    `update broker_connections set user_id = $2 where id = (select broker_connection_id from deployments where id = $1)`,
    [id, owner.id],
  );
  return { id, owner };
}

test('a receipt opens from its decision and is made again in the browser, equal', async () => {
  const { id, owner } = await tradedBySomebody(BOTH_ABOVE_30);
  await open(id, owner);
  await section.getByRole('button', { name: /^Receipt of buy 2/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet
    .getByText(/^Buys: the close/)
    .first()
    .waitFor();
  expect(await watched.violations()).toEqual([]);
  await sheet.getByRole('button', { name: 'Replay' }).click();
  await sheet.getByText(/^Equal: this browser made the same decision/).waitFor();
  // The test's trader states no engine, so the receipt cannot claim to be of this one.
  await sheet.getByText(/another version of the engine/).waitFor();
  // Its strategy is published nowhere.
  expect(watched.takeErrors().filter((error) => !error.includes('/api/strategies/'))).toEqual([]);
}, 60_000);

test('a decision of a model is made again in the browser from the record of its answers, and nobody is asked', async () => {
  const model = decidingModel(() => allOn('BBB'));
  world.deciders.push(model.port);
  const { id, owner } = await tradedBySomebody({
    ...BOTH_ABOVE_30,
    name: 'A model decides',
    rule: {
      type: 'decider',
      asks: 'language_model',
      model: model.port.model,
      knowledgeUntil: '2010-01-01',
      instructions: 'Hold what rises.',
      samples: 2,
      withinSeconds: 60,
      dollarsPerMonth: 50,
      withoutAnswer: 'flat',
    },
  });
  const asked = model.asked.length;
  expect(asked).toBeGreaterThan(0);
  // Whoever asked it now would be told something else.
  model.answer = () => allOn('AAA');
  await open(id, owner);
  await section.getByRole('button', { name: /^Receipt of buy 1/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('BBB').first().waitFor();
  expect(await watched.violations()).toEqual([]);
  await sheet.getByRole('button', { name: 'Replay' }).click();
  await sheet.getByText(/^Equal: this browser made the same decision/).waitFor();
  expect(model.asked).toHaveLength(asked);
  expect(watched.takeErrors().filter((error) => !error.includes('/api/strategies/'))).toEqual([]);
}, 60_000);

// The desk of a bad night, in a real browser on the real server: read from the top, look a kind up in the runbook, decide,
// and see it end. With RECORD_PICTURES=1 it writes the pictures of docs/pictures.
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { saveBrokerSession } from '#records/brokerage/broker-sessions.ts';
import { endIncident, openIncident } from '#records/incidents/incidents.ts';
import { beat } from '#records/operations/heartbeats.ts';
import { reviewIncidents } from '#server/operations/review-incidents.ts';
import { supportPerson } from '#tests/api/scene.ts';
import { addDeadLetter } from '#tests/support/dead-letter.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { testApp } from '#tests/support/test-app.ts';
import { tradedDeployment } from '#tests/support/test-deployment.ts';
import { openWatchedPage } from '#tests/support/watched-page.ts';
import { wearTheme } from '#tests/support/wear-theme.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';
import type { BrokerAccountId, BrokerConnectionId, DeploymentId } from '#units/identifiers.ts';
import { type WallInstant, wallInstant } from '#units/wall-instant.ts';

const browser = await launchBrowser();
afterAll(() => browser.close());
const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const { database } = app.records;

const PICTURES = path.resolve(import.meta.dirname, '../../docs/pictures');
const minutesAgo = (minutes: number): WallInstant => wallInstant(Number(app.world.now) - minutes * 60_000);

async function picture(page: Page, name: string): Promise<void> {
  if (!process.env['RECORD_PICTURES']) return;
  await expect
    .poll(() => page.getByRole('button', { name: 'Close message' }).count(), { timeout: 20_000 })
    .toBe(0);
  await page.evaluate(`document.querySelector('footer')?.setAttribute('hidden', '')`);
  for (const theme of ['dark', 'light'])
    for (const [device, width] of [
      ['phone', 390],
      ['desk', 1440],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await wearTheme(page, theme);
      await page.evaluate('window.scrollTo(0, 0)');
      const file = path.join(PICTURES, `${name}-${theme}-${device}.png`);
      await page.screenshot({ path: file, fullPage: true });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** A connection of a deployment that trades. */
async function tradingAccount() {
  const { person, deploymentId } = await tradedDeployment(app);
  const { rows } = await app.records.pool.query(
    `select c.id, c.account_id from broker_connections c join deployments d on d.broker_connection_id = c.id
     where d.id = $1`,
    [deploymentId],
  );
  const { id, account_id: accountId } = rows[0]! as { id: BrokerConnectionId; account_id: BrokerAccountId };
  return { person, deploymentId: deploymentId as DeploymentId, connectionId: id, accountId };
}

const traderBeats = () =>
  beat(database, { process: 'trader', beatAt: minutesAgo(0), marketAt: app.world.marketNow, details: {} });

test('an operator reads a bad night from the top, decides, and sees it end', async () => {
  const [lost, quarantined] = [await tradingAccount(), await tradingAccount()];
  await traderBeats();
  const said = 'orders: unreachable: connect ECONNREFUSED';
  const { connectionId, accountId } = lost;
  await saveBrokerSession(
    database,
    {
      connectionId,
      state: 'lost',
      since: minutesAgo(9),
      detail: said,
      until: null,
      reconciledAt: minutesAgo(10),
    },
    app.world.marketNow,
  );
  const away = { kind: 'connection_lost', subject: connectionId } as const;
  const since = minutesAgo(9);
  await openIncident(database, { ...away, connectionId, accountId, facts: { said }, since }, minutesAgo(0));
  const failed = { kind: 'deployment_quarantined', subject: quarantined.deploymentId } as const;
  const facts = { task: 'fan-out', instrument: null };
  const { deploymentId } = quarantined;
  await app.records.pool.query(
    `update deployments set status = 'failed', reason_code = 'quarantined',
       reason_params = '{"failing": {"task": "fan-out", "symbol": null}, "from": "active"}' where id = $1`,
    [deploymentId],
  );
  await openIncident(database, { ...failed, deploymentId, facts, since: minutesAgo(42) }, minutesAgo(0));
  await addDeadLetter(database, 'mails', {
    data: { mailId: '00000000-0000-4000-8000-000000000001' },
    key: 'night',
    output: { code: 'mail_refused', detail: '550 no such mailbox' },
  });
  await reviewIncidents(app.dependencies);

  const support = await supportPerson(app);
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  await page.goto('/robots.txt');
  await page.evaluate(
    `localStorage.setItem('token', '${support.token}'); localStorage.setItem('refreshToken', '${support.refresh}')`,
  );
  await page.goto('/operations');
  await page.getByText('2 items to review, 1 incident with others, nothing is halted.').waitFor();
  const incidents = page.getByRole('region', { name: /^Incidents/ });
  expect(await incidents.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
    expect.stringMatching(/^Act now/),
    expect.stringMatching(/^Today/),
    expect.stringMatching(/^Watch/),
  ]);
  await incidents.getByRole('heading', { name: /^Deployment quarantined/ }).waitFor();
  await incidents.getByText('42 minutes').waitFor();
  await incidents.getByText('orders: the connection was refused').waitFor();
  expect(await page.locator('body').innerText()).not.toContain('ECONNREFUSED');
  await incidents.getByText('The broker’s move').waitFor();
  const connections = page.getByRole('region', { name: /^Connections/ });
  await connections.getByText(accountId).waitFor();
  await connections.getByText(/\$10,.* in 1 deployment/).waitFor();
  await incidents.getByRole('button', { name: /^Add a note: Broker does not respond/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Whose move').selectOption({ label: 'Your move' });
  await dialog.getByLabel('Note').fill('called the broker, they restart a server');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await incidents.getByText('called the broker, they restart a server').waitFor();
  expect(await incidents.getByText('The broker’s move').count()).toBe(0);
  await page.getByText('3 items to review, nothing is halted.').waitFor();
  const set = page.getByRole('region', { name: /^Quarantined deployments/ });
  await set.getByRole('button', { name: /^Release: / }).click();
  await dialog.getByLabel('Why').fill('engineering has mended it');
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await set.getByText(/proposes to release it, because engineering has mended it/).waitFor();
  expect(await watched.violations()).toEqual([]);
  await picture(page, 'operations-desk');

  const opened = page.context().waitForEvent('page');
  await incidents.getByRole('link', { name: 'Runbook: Deployment quarantined' }).click();
  const runbook = await opened;
  await runbook.getByRole('heading', { name: 'Deployment quarantined' }).waitFor();
  expect(new URL(runbook.url()).hash).toBe('#deployment-quarantined');
  await runbook.close();

  await incidents.getByRole('link', { name: /^Decide about the job/ }).click();
  await page.getByRole('button', { name: /^Discard: / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByText('No failed jobs.').waitFor();
  await expect
    .poll(() => incidents.getByRole('heading', { name: /^Background job/ }).count(), { timeout: 20_000 })
    .toBe(0);

  // The broker is back, and engineering has mended the deployment.
  const back = { connectionId, state: 'connected', since: minutesAgo(0), detail: '', until: null } as const;
  await saveBrokerSession(database, { ...back, reconciledAt: minutesAgo(0) }, app.world.marketNow);
  await app.records.pool.query(
    `update deployments set status = 'paused', reason_code = null, reason_params = null where id = $1`,
    [deploymentId],
  );
  for (const key of [away, failed]) await endIncident(database, key, { how: 'cleared', at: minutesAgo(0) });
  await page.getByText('Nothing waits for you, nothing is halted.').waitFor();
  await page.getByText('No open incidents.').waitFor();
  expect(await watched.violations()).toEqual([]);
  expect(watched.takeErrors()).toEqual([]);
  await watched.context.close();
}, 120_000);

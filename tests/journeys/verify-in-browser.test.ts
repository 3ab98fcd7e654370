// A visitor presses Verify: the app as it is built from these sources runs a stored result again in a worker, under
// the server's own content security policy. Then one price in the records is changed, and Verify says so.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { build } from 'vite';
import { readEngineHash } from '#processes/wiring/engine-sources.ts';
import { renewResult } from '#results/renew-result.ts';
import { launchBrowser } from '../support/browser.ts';
import { commitStrategy, resultTools, storeMarket } from '../support/committed-strategy.ts';
import { testApp } from '../support/test-app.ts';
import { withoutGuards } from '../support/without-guards.ts';

const webRoot = mkdtempSync(path.join(tmpdir(), 'bellwether-web-'));
await build({
  configFile: path.resolve(import.meta.dirname, '../../src/web/vite.config.ts'),
  logLevel: 'error',
  build: { outDir: webRoot, emptyOutDir: true },
});
afterAll(() => rmSync(webRoot, { recursive: true, force: true }));

const { app, records } = await testApp({ webRoot });
const bars = await storeMarket(records.database);
const version = await commitStrategy(records.database, { slug: 'cross', committedAt: bars[599]!.closedAt });
await renewResult(
  { ...resultTools(records.database, bars[649]!.closedAt), engine: readEngineHash() },
  version,
);

test('Verify is green on what was published and red after one changed price', {
  timeout: 90_000,
}, async () => {
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
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
    records.pool,
    'update bars set close = close * 1.0001 where (symbol, closed_at) = (select symbol, min(closed_at) from bars group by symbol limit 1)',
  );
  await passport.getByRole('button', { name: 'Verify' }).click();
  await passport.getByText(/^Not verified/).waitFor();
  await passport.getByText('The prices are not the ones whose hash is stated.').waitFor();
  expect(complaints).toEqual([]);
  await browser.close();
});

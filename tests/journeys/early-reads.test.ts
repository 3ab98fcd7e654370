// What a page shows first is asked for with the document itself, before the app has loaded, and once.
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { personPage } from '../support/person-page.ts';
import { testApp } from '../support/test-app.ts';
import { tradedDeployment } from '../support/test-deployment.ts';

const app = await testApp({ webRoot: path.resolve(import.meta.dirname, '../../src/web/dist') });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser = await launchBrowser();
afterAll(() => browser.close());
const { person, deploymentId } = await tradedDeployment(app);

const ME = '/api/auth/me/';
const ONE = `/api/deployments/${deploymentId}/`;

test.each([
  ['/dashboard', [ME, '/api/deployments/']],
  ['/deployed-strategies', [ME, '/api/deployments/']],
  [`/deployed-strategies/${deploymentId}`, [ME, ONE, `${ONE}performance?timeframe=ALL`]],
  ['/portfolio', [ME, '/api/portfolio/']],
  ['/statements', [ME, '/api/statements/?period=month&method=fifo']],
  ['/fees', [ME, '/api/fees/bills/']],
])('%s', async (address, reads) => {
  const page = await personPage(browser, base, person);
  await page.route('**/assets/shell-*.js', (route) => route.abort());
  const early = listReads(page);
  await page.goto(address);
  await expect.poll(() => early().toSorted()).toEqual(reads.toSorted());
  await page.unroute('**/assets/shell-*.js');

  const all = listReads(page);
  await page.goto(address);
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
  await expect
    .poll(() => page.evaluate(`document.querySelector('main .animate-breathe') === null`))
    .toBe(true);
  for (const read of reads)
    expect(
      all().filter((one) => one === read),
      read,
    ).toHaveLength(1);
  await page.context().close();
});

/** The addresses under /api that the page reads from now on. */
function listReads(page: Page): () => string[] {
  const found: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) found.push(pathname + search);
  });
  return () => [...found];
}

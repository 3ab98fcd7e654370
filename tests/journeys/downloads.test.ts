// Private files in a real browser: a press on the button saves the file, and its address opens nothing a second time.
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { billedDeployment } from '#tests/support/billed-deployment.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { testApp } from '#tests/support/test-app.ts';
import { openWatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

const browser = await launchBrowser();
afterAll(() => browser.close());
const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });

test.each([
  ['/fees', /^Download/, 'performance-fees.csv', 'fee'],
  ['/account?tab=data', 'Download my data', 'my-data.zip', 'PK'],
] as const)(
  '%s saves its file by a link that works once',
  { timeout: 120_000 },
  async (at, button, name, text) => {
    const { person } = await billedDeployment(app);
    const watched = await openWatchedPage(browser, base);
    const { page } = watched;
    await page.goto('/robots.txt');
    await page.evaluate(
      `localStorage.setItem('token', '${person.token}'); localStorage.setItem('refreshToken', '${person.refresh}')`,
    );
    await page.goto(at);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).first().click(),
    ]);
    expect(saved.suggestedFilename()).toBe(name);
    expect(readFileSync(await saved.path(), 'latin1')).toContain(text);
    expect(new URL(page.url()).pathname).toBe(at.split('?')[0]);
    const again = await fetch(saved.url());
    const said = (await again.json()) as { readonly code: string };
    expect([again.status, said.code]).toEqual([400, 'invalid_token']);
  },
);

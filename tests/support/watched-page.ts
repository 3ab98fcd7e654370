// A page of a browser that is watched: nothing may be said on its console as an error, and what is on it can be
// checked against the rules of accessibility.
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';

export type WatchedPage = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What was said as an error since the last time, on this page and on every window that it opened. */
  takeErrors(): string[];
  /** Violations of WCAG 2.2 A and AA in the current state, one line each. */
  violations(): Promise<string[]>;
};

export async function openWatchedPage(browser: Browser, baseURL: string): Promise<WatchedPage> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  const errors: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error')
      errors.push(`${message.page()?.url()}: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => errors.push(`${error.page()?.url()}: ${error.error().message}`));
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return {
    context,
    page,
    takeErrors: () => errors.splice(0),
    async violations() {
      // Where a click has scrolled to, the header may lie over half of a button, which would count as too small.
      await page.evaluate('scrollTo(0, 0)');
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).withTags(TAGS).analyze();
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) => `${page.url()} ${id} at ${target.join(' ')}: ${failureSummary}`,
        ),
      );
    },
  };
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

// A browser window of a person who is already signed in, with the tokens that the app keeps.
import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestPerson } from './test-person.ts';
import { openWatchedPage } from './watched-page.ts';

/** A visitor's without a person. Closed with `page.context().close()`. */
export async function personPage(browser: Browser, base: string, person?: TestPerson): Promise<Page> {
  const { page } = await openWatchedPage(browser, base);
  if (person) {
    await page.goto('/robots.txt');
    await page.evaluate(
      `localStorage.setItem('token', '${person.token}'); localStorage.setItem('refreshToken', '${person.refresh}')`,
    );
  }
  return page;
}

/** Answers an address with 500 until the returned function is called. */
export async function failAt(page: Page, address: string): Promise<() => Promise<void>> {
  const body = JSON.stringify({ code: 'internal_error', message: 'Told to fail.' });
  await page.route(address, (route) => route.fulfill({ status: 500, contentType: 'application/json', body }));
  return () => page.unroute(address);
}

/** Stops the page's clock from now on, also for pages opened later; `page.clock.runFor` moves it. */
export async function stopClock(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 60_000);
}

/** Lets a stopped clock go on a little at a time until something is so. */
export async function runUntil(page: Page, isSo: () => Promise<boolean> | boolean): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(20);
        return isSo();
      },
      { timeout: 20_000 },
    )
    .toBe(true);
}

/** Counts the requests to an address from now on. */
export function countRequests(page: Page, address: RegExp): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (address.test(request.url())) count += 1;
  });
  return () => count;
}

export async function expectTexts(place: Locator, texts: readonly string[]): Promise<void> {
  await place.first().waitFor();
  for (const text of texts) await expect.poll(() => place.first().innerText()).toContain(text);
}

/** The headers of a table. */
export async function columnsOf(page: Page, caption: string): Promise<string[]> {
  const table = page.getByRole('table', { name: caption }).first();
  await table.waitFor();
  return table.getByRole('columnheader').allTextContents();
}

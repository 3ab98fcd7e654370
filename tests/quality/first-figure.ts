// How soon a private page shows its first figure on a middling phone, and what moves on it.
import type { Browser } from 'playwright-core';
import { OBSERVE, slowDown, worstWindow, type Shift } from './load.ts';
import { waitUntilIdle } from './visitors.ts';

export type FirstFigure = {
  /** Milliseconds until the first amount or percentage of the page's own stands there. */
  readonly figure: number;
  readonly cls: number;
};

/** A first visit, with nothing kept, or a later one, with the app's files in the browser's cache. */
export async function measureFirstFigure(
  browser: Browser,
  {
    baseUrl,
    path,
    session,
    visit,
  }: {
    readonly baseUrl: string;
    readonly path: string;
    /** The tokens of a sign-in: one serves every visit. */
    readonly session: { readonly token: string; readonly refreshToken: string };
    readonly visit: 'first' | 'later';
  },
): Promise<FirstFigure> {
  const { token, refreshToken } = session;
  const localStorage = Object.entries({ token, refreshToken }).map(([name, value]) => ({ name, value }));
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    storageState: { cookies: [], origins: [{ origin: new URL(baseUrl).origin, localStorage }] },
  });
  const page = await context.newPage();
  await page.addInitScript(OBSERVE);
  await page.addInitScript(WATCH);
  if (visit === 'later') {
    await page.goto(baseUrl + path);
    await waitUntilIdle(page);
  }
  await slowDown(await context.newCDPSession(page), { keepsCache: visit === 'later' });
  await page.goto(baseUrl + path, { timeout: 60_000 });
  await waitUntilIdle(page);
  await page.waitForTimeout(QUIET_MS);
  const seen = (await page.evaluate('({ figure: window.__figure, shifts: window.__load.shifts })')) as {
    figure: number | null;
    shifts: Shift[];
  };
  await context.close();
  if (seen.figure === null) throw new Error(`${path} shows no figure`);
  return { figure: seen.figure, cls: worstWindow(seen.shifts) };
}

const QUIET_MS = 1_500;

/** Runs in the page before anything else. The frame after the change draws it. */
const WATCH = String.raw`{
  window.__figure = null;
  const look = () => {
    const main = document.querySelector('#root main');
    if (main === null || !/[$]\d|\d%/.test(main.innerText)) return;
    watcher.disconnect();
    requestAnimationFrame(() => { window.__figure = performance.now(); });
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document, { subtree: true, childList: true, characterData: true });
}`;

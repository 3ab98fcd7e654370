// How a public page loads on a middling phone: four times slower, over fast 4G, nothing cached.
import type { Browser, CDPSession, Page } from 'playwright-core';
import { waitUntilIdle } from './visitors.ts';

/** The slowdown of Lighthouse's mobile runs. */
const CPU_SLOWDOWN = 4;
/** The preset 'Fast 4G' of Chrome's developer tools: 9 Mbit/s down and 1.5 up at 90%, 60 ms times 2.75. */
const FAST_4G = {
  offline: false,
  downloadThroughput: (9_000_000 / 8) * 0.9,
  uploadThroughput: (1_500_000 / 8) * 0.9,
  latency: 60 * 2.75,
};
/** Data has arrived and been drawn, and what could still move has moved. */
const QUIET_MS = 1_500;

export type Load = {
  /** Milliseconds: first and largest contentful paint, and how long the page could not answer in between. */
  readonly fcp: number;
  readonly lcp: number;
  readonly tbt: number;
  readonly cls: number;
  /** Everything that came over the wire, and of it the scripts, both as compressed, without headers. */
  readonly bytes: number;
  readonly scriptBytes: number;
  /** What the largest paint was of, and what moved. */
  readonly largest: string;
  readonly moved: readonly string[];
};

export async function measureLoad(browser: Browser, address: string): Promise<Load> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 1,
    locale: 'en-US',
  });
  const page = await context.newPage();
  await page.addInitScript(OBSERVE);
  const session = await context.newCDPSession(page);
  await slowDown(session);
  await page.goto(address, { waitUntil: 'load', timeout: 60_000 });
  await waitUntilIdle(page);
  await page.waitForTimeout(QUIET_MS);
  const load = await readLoad(page);
  await context.close();
  return load;
}

export async function slowDown(session: CDPSession, { keepsCache = false } = {}): Promise<void> {
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: !keepsCache });
  await session.send('Network.emulateNetworkConditions', FAST_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

/** Of several loads the one with the middle value in each measure. */
export function middle(loads: readonly Load[]): Load {
  const of = (key: 'fcp' | 'lcp' | 'tbt' | 'cls' | 'bytes' | 'scriptBytes') =>
    loads.map((load) => load[key]).sort((a, b) => a - b)[Math.floor(loads.length / 2)] ?? Number.NaN;
  const last = loads.at(-1);
  return {
    fcp: of('fcp'),
    lcp: of('lcp'),
    tbt: of('tbt'),
    cls: of('cls'),
    bytes: of('bytes'),
    scriptBytes: of('scriptBytes'),
    largest: last?.largest ?? '',
    moved: last?.moved ?? [],
  };
}

/** Runs in the page before anything else. Layout shifts are summed in windows as web.dev/cls defines them. */
export const OBSERVE = `{
  const seen = { fcp: 0, lcp: 0, largest: '', tasks: [], shifts: [] };
  window.__load = seen;
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('paint', (entry) => { if (entry.name === 'first-contentful-paint') seen.fcp = entry.startTime; });
  const name = (node) => !node || !node.tagName ? '?' : node.tagName.toLowerCase() + ' ' + (node.textContent || '').slice(0, 40);
  watch('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; seen.largest = name(entry.element); });
  watch('longtask', (entry) => seen.tasks.push([entry.startTime, entry.duration]));
  watch('layout-shift', (entry) => {
    if (!entry.hadRecentInput)
      seen.shifts.push({ at: entry.startTime, value: entry.value, of: entry.sources.map((source) => name(source.node)) });
  });
}`;

type Seen = {
  fcp: number;
  lcp: number;
  largest: string;
  tasks: [number, number][];
  shifts: Shift[];
};

export type Shift = { at: number; value: number; of: string[] };

async function readLoad(page: Page): Promise<Load> {
  const seen = (await page.evaluate('window.__load')) as Seen;
  const files = (await page.evaluate(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .map(({ name, encodedBodySize }) => ({ name, size: encodedBodySize }))`,
  )) as { name: string; size: number }[];
  const sum = (some: typeof files) => some.reduce((total, { size }) => total + size, 0);
  return {
    fcp: seen.fcp,
    lcp: seen.lcp,
    tbt: seen.tasks
      .filter(([at]) => at >= seen.fcp)
      .reduce((total, [, ms]) => total + Math.max(0, ms - 50), 0),
    cls: worstWindow(seen.shifts),
    bytes: sum(files),
    scriptBytes: sum(files.filter(({ name }) => /\.js(\?|$)/.test(name))),
    largest: seen.largest,
    moved: seen.shifts.flatMap(
      (shift) => `${shift.value.toFixed(4)} at ${shift.at.toFixed(0)} ms: ${shift.of.join(' | ')}`,
    ),
  };
}

/** The largest sum of shifts less than 1 s apart, within 5 s. */
export function worstWindow(shifts: readonly Shift[]): number {
  let worst = 0;
  let sum = 0;
  let begin = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { at, value } of shifts) {
    if (at - last > 1_000 || at - begin > 5_000) {
      sum = 0;
      begin = at;
    }
    sum += value;
    last = at;
    worst = Math.max(worst, sum);
  }
  return worst;
}

// Browser windows for the people in places.ts: each signed in as themselves, or as if some of their steps had not happened;
// for that, the service's answers are changed on their way to the page.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ADJUSTMENT_CHOICES, WAITING_DESK } from './waiting-desk.ts';
import type { Place, Who } from './places.ts';

export type Account = { readonly email: string; readonly password: string };
export type Look = { readonly theme: 'dark' | 'light'; readonly width: 390 | 1440 };

export type Visitor = {
  readonly page: Page;
  /** What was said on the console as an error or a warning since the last time. */
  takeComplaints(): string[];
  close(): Promise<void>;
};

const HEIGHT = { 390: 844, 1440: 900 } as const;

/** The tokens of a sign-in, as the app keeps them. */
export async function signIn(
  baseUrl: string,
  account: Account,
): Promise<{ token: string; refreshToken: string }> {
  const answer = await fetch(`${baseUrl}/api/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  if (!answer.ok) throw new Error(`${account.email} could not sign in at ${baseUrl}: ${answer.status}`);
  return (await answer.json()) as { token: string; refreshToken: string };
}

export async function openVisitor(
  browser: Browser,
  { baseUrl, who, look, account }: { baseUrl: string; who: Who; look: Look; account: Account },
): Promise<Visitor> {
  const kept: { name: string; value: string }[] = [{ name: 'theme', value: look.theme }];
  if (who !== 'visitor') {
    const { token, refreshToken } = await signIn(baseUrl, account);
    kept.push({ name: 'token', value: token }, { name: 'refreshToken', value: refreshToken });
  }
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: { width: look.width, height: HEIGHT[look.width] },
    locale: 'en-US',
    reducedMotion: 'reduce',
    storageState: { cookies: [], origins: [{ origin: new URL(baseUrl).origin, localStorage: kept }] },
  });
  await pretend(context, who);
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  const close = async () => {
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  };
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  return { page, takeComplaints: () => complaints.splice(0), close };
}

/** Goes there and waits until nothing is loading any more. */
export async function goTo(page: Page, place: Place): Promise<void> {
  const body = JSON.stringify({ code: 'internal_error', message: 'Told to fail.' });
  if (place.fails !== undefined)
    await page.route(place.fails, (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body }),
    );
  await page.goto(place.path, { waitUntil: 'load' });
  await waitUntilIdle(page);
  if (place.reach) {
    await place.reach(page);
    await waitUntilIdle(page);
  }
  if (place.fails !== undefined) await page.unroute(place.fails);
}

/** Evaluated from outside: the page's own policy forbids evaluating text in it. */
export async function waitUntilIdle(page: Page): Promise<void> {
  for (const deadline = Date.now() + SETTLED_WITHIN_MS; ; await page.waitForTimeout(50)) {
    if ((await page.evaluate(IS_SETTLED).catch(() => false)) === true) return;
    if (Date.now() > deadline) throw new Error('the page went on loading');
  }
}

const SETTLED_WITHIN_MS = 30_000;
const IS_SETTLED = `document.querySelector('#root main') !== null && document.querySelector('.animate-breathe') === null
  && document.documentElement.dataset.session === undefined && document.fonts.status === 'loaded'`;

const UNDONE: Readonly<Record<Who, Record<string, unknown> | null>> = {
  visitor: null,
  investor: null,
  newcomer: {
    risk_profile: null,
    is_agreement_signed: false,
    deployed_strategies: [],
    broker_connections: [],
    connectedBrokers: [],
  },
  unsigned: { is_agreement_signed: false },
  ineligible: { is_agreement_signed: false, is_eligible: false },
  support: { role: 'support' },
};

/** As if the person of the window were what they are asked to be. */
export async function pretend(context: BrowserContext, who: Who): Promise<void> {
  const undone = UNDONE[who];
  if (undone === null) return;
  await context.route('**/api/auth/me/', async (route) => {
    const answer = await route.fetch();
    if (!answer.ok()) return route.fulfill({ response: answer });
    return route.fulfill({ response: answer, json: { ...((await answer.json()) as object), ...undone } });
  });
  if (who === 'support') {
    const json = {
      ...WAITING_DESK,
      as_of: new Date().toISOString(),
      trader_seen_at: new Date().toISOString(),
    };
    await context.route('**/api/operations/', (route) => route.fulfill({ json }));
    await context.route('**/api/operations/adjustments/choices/**', (route) =>
      route.fulfill({ json: ADJUSTMENT_CHOICES }),
    );
  }
  if (who === 'newcomer')
    await context.route('**/api/deployments/', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ json: [] }) : route.continue(),
    );
}

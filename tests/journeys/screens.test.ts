import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { listComplaints, listOverflow, listViolations } from '#tests/quality/inspect.ts';
import { listPlaces, type Place, type Who } from '#tests/quality/places.ts';
import { goTo, openVisitor, type Visitor } from '#tests/quality/visitors.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { columnsOf, expectTexts, personPage } from '#tests/support/person-page.ts';
import { testApp } from '#tests/support/test-app.ts';
import { tradedDeployment } from '#tests/support/test-deployment.ts';
import {
  answersOf,
  brokerId,
  PASSWORD,
  readyPerson,
  unconnectedPerson,
  signedInPerson,
  type TestPerson,
} from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { wearTheme } from '#tests/support/wear-theme.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';
import type { NotificationId, UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';

const browser = await launchBrowser();
afterAll(() => browser.close());

// The content of each screen, in the words of the specification, where no journey checks it.
const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const strategy = await publishedStrategy(app, { name: 'Calm Trend' });
let page: Page;
afterEach(() => page.context().close());

const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();

async function open(address: string, person?: TestPerson): Promise<void> {
  page = await personPage(browser, base, person);
  await page.goto(address);
}

const columnsShown = async (caption: string) =>
  (await columnsOf(page, caption)).filter((name) => name !== 'Reason');

test('home: tiles, features, steps, featured strategies; the demo closes by its button and its backdrop', async () => {
  await open('/');
  await expectTexts(page.getByRole('main'), [
    '24.5%',
    '1.68',
    '$245M',
    'Deep learning models',
    'Real-time analysis',
    'Risk management',
    'How It Works',
    'Choose a strategy',
    'Configure and deploy',
    'Monitor and optimize',
    'Featured Strategies',
    'Calm Trend',
  ]);
  expect(await page.getByRole('link', { name: 'Get Started' }).first().getAttribute('href')).toBe('/login');
  const dialog = page.getByRole('dialog');
  for (const close of [
    () => dialog.getByRole('button', { name: 'Close' }).click(),
    () => page.mouse.click(5, 5),
  ]) {
    await press('View Demo');
    await dialog.waitFor();
    await close();
    await dialog.waitFor({ state: 'hidden' });
  }
});

test('marketplace: the content of a card, three in a row', async () => {
  await open('/marketplace');
  const texts = ['Momentum', 'US', 'short', '+5.90%', '+3.00%', '+40.00%', '1.20', '$5,000'];
  await expectTexts(page.getByRole('link', { name: /Calm Trend/ }), texts);
  const columns = `getComputedStyle(document.querySelector('main ul')).gridTemplateColumns.split(' ').length`;
  expect(await page.evaluate(columns)).toBe(3);
  await page.getByRole('banner').getByRole('link').first().click();
  await says('How It Works');
  expect(new URL(page.url()).pathname).toBe('/');
});

test('sign-in: missing fields are named, another tab clears the errors, a wrong password has one message, busy is shown', async () => {
  await open('/login');
  const submit = page.locator('form').getByRole('button');
  await submit.click();
  await says('Email is required');
  await says('Password is required');
  await page.getByRole('tab', { name: 'Register' }).click();
  expect(await page.getByText('Email is required').count()).toBe(0);
  await submit.click();
  await says('Name is required');
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await page.getByLabel('Email Address').fill((await signedInPerson(app)).email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  const held = Promise.withResolvers<void>();
  await page.route('**/api/auth/login/', async (route) => {
    await held.promise;
    await route.continue();
  });
  await submit.click();
  await page.getByRole('button', { name: 'Please wait...' }).waitFor();
  held.resolve();
  await says('Authentication failed. Please try again.');
});

test('questionnaire: an answer is needed, Previous goes back to it', async () => {
  await open(`/strategy/${strategy}/deploy`, await signedInPerson(app));
  await says('1 of 6');
  const previous = page.getByRole('button', { name: 'Previous' });
  expect(await previous.isDisabled()).toBe(true);
  await press('Next Question');
  await says('Please select an answer before continuing');
  await page.getByRole('radio').last().check();
  await press('Next Question');
  await says('2 of 6');
  await previous.click();
  await says('1 of 6');
  expect(await page.getByRole('radio').last().isChecked()).toBe(true);
});

test('wizard with a profile: it may be kept or retaken; a step begins at the top; signing is 520 px high and closes', async () => {
  const person = await signedInPerson(app);
  const { token } = person;
  const answers = { questionnaire_responses: answersOf(2) };
  await app.request({ method: 'POST', url: '/api/risk-assessment/', token, body: answers });
  const about = { date_of_birth: '1980-02-29', country: 'CH' };
  await app.request({ method: 'PATCH', url: '/api/auth/me/', token, body: about });
  await open(`/strategy/${strategy}/deploy`, person);
  await page.setViewportSize({ width: 1280, height: 500 });
  await says('Risk Profile Is Set');
  await press('Retake Assessment');
  await says('1 of 6');
  for (let question = 1; question < 6; question++) await press('Next Question');
  await press('Update Assessment');
  const score = page.getByText('100', { exact: true }).first();
  await score.waitFor();
  expect(await score.getAttribute('class')).toBe('text-loss');
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
  await press('Continue');
  await page.getByRole('heading', { name: 'Agreement', exact: true }).waitFor();
  await expect.poll(() => page.evaluate('window.scrollY')).toBe(0);
  await press('Sign Agreement');
  const area = page.getByRole('region', { name: 'Sign the agreement' });
  expect(await area.locator('> div').last().boundingBox()).toMatchObject({ height: 520 });
  await press('Close signing');
  await page.getByRole('button', { name: 'Sign Agreement' }).waitFor();
});

test('wizard: no brokers, none chosen, one that is not integrated, and the link to another', async () => {
  await brokerId(app, 'oanda');
  app.world.accountId = `DU${randomUUID().slice(0, 7)}`;
  await open(`/strategy/${strategy}/deploy?step=broker-connection`, await unconnectedPerson(app));
  await says('No broker selected');
  await press('Select Broker');
  const card = page.locator('label', { hasText: 'oanda' });
  await expectTexts(card, ['Multi-asset', 'Equity, Forex, Crypto']);
  await card.getByRole('radio').check();
  await press('Connect to oanda');
  await says('Integration Coming Soon');
  await press('Choose Different Broker');
  await card.waitFor();
  await page.route('**/api/brokers/', (route) => route.fulfill({ json: [] }));
  await page.reload();
  await says('No brokers available');
  await says('Please contact support to add broker integrations.');
});

test('wizard: whoever has a connected account finds its broker chosen', async () => {
  app.world.accountId = `DU${randomUUID().slice(0, 7)}`;
  await open(`/strategy/${strategy}/deploy?step=broker-selection`, await readyPerson(app));
  await press(/^Connect to /);
  await says(/^(Paper account|Account) ••••.* is connected$/);
});

test('dashboard, list and deployment: their cards, filters, columns, and why a trade was made', async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  await open('/dashboard', person);
  await expectTexts(page.getByRole('main'), [
    'Welcome back, Ada',
    'Deploy New Strategy',
    'Current Value',
    'Available Cash',
    'Position Value',
    'Active AI Models',
    'Unrealized P&L',
    'Portfolio Performance',
  ]);
  for (const range of ['1D', '1W', '1M', '3M', '1Y', 'ALL']) await says(new RegExp(`^${range}$`));
  expect(await columnsShown('Active Positions')).toEqual([
    'Strategy',
    'Symbol',
    'Type',
    'Qty',
    'Entry Price',
    'Current Price',
    'Value',
    'P&L',
  ]);

  await page.goto('/deployed-strategies');
  await expectTexts(page.getByRole('main'), [
    'Your Active AI-Models',
    'Active Strategies',
    'Open Positions',
    'Profitable',
    'Avg. Days Active',
  ]);
  await expectTexts(page.getByRole('article'), [
    'Active',
    'Medium risk',
    'ago',
    'Profitable',
    'Investment',
    'Current Value',
    'Positions',
    'Cash',
    'Stop Loss',
    'Max Allocation',
  ]);
  const optionsOf = (name: string) =>
    page.getByRole('combobox', { name }).locator('option').allTextContents();
  expect(await optionsOf('Status')).toEqual(['All Status', 'Active', 'Paused', 'Pending']);
  expect(await optionsOf('Sort by')).toEqual(['Sort by Performance', 'Sort by Date', 'Sort by Value']);
  await page.getByLabel('Search strategies').fill('no such one');
  await says('No strategies match your filters');
  await page.getByLabel('Search strategies').fill('CALM');
  await page.getByRole('link', { name: /^Details/ }).click();
  await page.waitForURL(`**/${deploymentId}`);

  expect(await columnsShown('Active Positions')).toEqual([
    'Type',
    'Symbol',
    'Qty',
    'Entry Price',
    'Current Price',
    'Notional Value',
    'P&L',
  ]);
  expect(await columnsShown('Trades History')).toEqual([
    'Date',
    'Type',
    'Symbol',
    'Fill Qty',
    'Fill Price',
    'Total Amount',
    'Placed On',
    'Status',
  ]);
  const why = page.getByRole('button', { name: 'Why this buy of SPY' });
  expect(await why.getAttribute('title')).toBe('Follows the strategy: buys at 400 or less.');
  await why.click();
  await page.getByRole('dialog').getByText('Follows the strategy: buys at 400 or less.').waitFor();
});

test('signed in: home leads to the dashboard; the bell says 9+ above nine, how many are new, each marked as read by itself', async () => {
  const person = await signedInPerson(app);
  const notices = Array.from({ length: 11 }, (_, place) => ({
    id: randomUUID() as string as NotificationId,
    userId: person.id as UserId,
    deploymentId: null,
    facts: { kind: 'frozen', strategyName: 'Calm Trend', drawdownPercent: 20 + place } as const,
    cause: randomUUID(),
    at: instant(Date.UTC(2026, 0, 8, place)),
  }));
  await insertNotifications(app.records.database, notices);
  await open('/', person);
  const start = page.getByRole('main').getByRole('link', { name: 'Go to Dashboard' }).first();
  expect(await start.getAttribute('href')).toBe('/dashboard');
  const bell = page.getByRole('button', { name: 'Notifications, 9+ unread' });
  await bell.click();
  expect(await bell.innerText()).toBe('9+');
  const panel = page.getByRole('region', { name: 'Notifications' });
  await panel.getByText('11 new').waitFor();
  await panel.getByRole('button', { name: 'Mark as read', exact: true }).first().click();
  await panel.getByText('10 new').waitFor();
  await expect
    .poll(async () => {
      const { body } = await app.request({ url: '/api/notifications/', token: person.token });
      return body.filter(({ read }: { read: boolean }) => read).length;
    })
    .toBe(1);
});

// Every address of the product, in both themes and widths: no accessibility violation, no console output, no overflow. On
// the real server with scripted third parties; `npm run quality` also visits every dialog and failure, on a product that
// has traded, and measures loading.
describe('every address', async () => {
  const app = await testApp({ webRoot: WEB_ROOT });
  const baseUrl = await app.app.listen({ port: 0, host: '127.0.0.1' });

  const { person, deploymentId } = await tradedDeployment(app);
  await brokerId(app, 'alpaca');
  const { body: strategies } = await app.request({ method: 'GET', url: '/api/strategies/' });
  const places = listPlaces({ strategy: strategies[0].id, deployment: deploymentId }).filter(
    ({ reach, fails }) => reach === undefined && fails === undefined,
  );
  const account = { email: person.email, password: PASSWORD };

  /** Rules that depend on the theme; the other rules check structure, which is the same in both. */
  const THEME_RULES = ['color-contrast', 'link-in-text-block'];
  /** Rules that also depend on the width of the window. */
  /** Of the phones that we support. */
  const NARROWEST = 360;
  const LAYOUT_RULES = THEME_RULES.concat([
    'target-size',
    'scrollable-region-focusable',
    'button-name',
    'link-name',
    'label',
    'heading-order',
    'region',
  ]);
  const PEOPLE: readonly Who[] = ['visitor', 'investor', 'newcomer', 'support'];

  test.for(PEOPLE)('nothing is wrong at any address for the %s', { timeout: 480_000 }, async (who) => {
    const faults: string[] = [];
    const look = { theme: 'dark', width: 1440 } as const;
    const visitor = await openVisitor(browser, { baseUrl, who, look, account });
    for (const place of places.filter((one) => one.who === who))
      faults.push(...(await inspect(visitor, place)));
    await visitor.close();
    expect(faults).toEqual([]);
  });

  async function inspect(visitor: Visitor, place: Place): Promise<string[]> {
    const { page } = visitor;
    const found: string[] = [];
    await page.setViewportSize({ width: 1440, height: 900 });
    await goTo(page, place);
    for (const width of [1440, NARROWEST]) {
      await page.setViewportSize({ width, height: 900 });
      await wearTheme(page, 'dark');
      const rules = width === NARROWEST ? LAYOUT_RULES : undefined;
      found.push(...(await listViolations(page, rules)), ...(await listOverflow(page)));
      await wearTheme(page, 'light');
      found.push(...(await listViolations(page, THEME_RULES)));
    }
    return [...found, ...listComplaints(visitor, place)].map((fault) => `${place.name}: ${fault}`);
  }
});

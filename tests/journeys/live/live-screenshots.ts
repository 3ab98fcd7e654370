// `npm run live-screenshots`: a live installation on stand-ins, and pictures of what live prices, two brokers and practice brought,
// in both themes on a phone and on a desktop, in screenshots/; with `-- --publish` also in docs/pictures.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import type { Broker, BrokerConnection } from '../../../src/contract/brokerage.ts';
import type { Deployment } from '../../../src/contract/deployments.ts';
import type { Person } from '../../../src/processes/demo-world/demo-account/person.ts';
import { approveAtAlpaca } from '../../support/approve-at-alpaca.ts';
import { launchBrowser } from '../../support/browser.ts';
import { giveRole } from '../../support/give-role.ts';
import {
  deploy,
  INVESTOR_PASSWORD,
  type Investor,
  makeInvestor,
  signInAgain,
} from '../../support/investor.ts';
import { planOf } from '../../support/live-installation.ts';
import { publishLooks, takeLooks } from '../../support/look-pictures.ts';
import { signInAtSecondBroker } from '../../second-broker/sign-in.ts';
import { AT_INTERACTIVE_BROKERS, type LiveWorld, openLiveWorld } from './live-world.ts';

const STRATEGY = 'Leaders of the year';
const SHARE = 'TLCO';
const ADA = 'ada@live.example';
/** Tries a second or more apart. */
const TURNS = 90;
const PATIENCE_MS = 90_000;
const SEEN_WELL_MS = 8_000;
const QUIET_MINUTES = 6;
const DOUBTED = /does not confirm/;
const [word] = process.argv.slice(2);
const isPublished = word === '--publish';
const only = process.env['SCREENS']?.split(',');

/** Those of the documents. */
const PUBLISHED = [
  'live-wizard-brokers',
  'live-practice',
  'live-promotion',
  'live-shadow',
  'live-feed-contradicted',
  'live-brokers',
  'live-broker-documentation',
];

let world: LiveWorld | undefined;
let browser: Browser | undefined;
try {
  world = await openLiveWorld();
  await world.home.start(world.settings);
  browser = await launchBrowser();
  await walk(world, browser);
} finally {
  await browser?.close();
  await world?.remove();
}

async function walk(live: LiveWorld, opened: Browser): Promise<void> {
  const visitor = await openPage(opened, live, null);
  await publicPages(visitor);
  const ada = await ownerOfTwoAccounts(live);
  const page = await openPage(opened, live, ADA);
  await accountsAndWizard(page, ada);
  const pair = await practise(page, ada);
  await shadow(page, ada, pair);
  await doubts(page, { live, visitor, real: pair.real, strategy: await strategyOf(ada) });
  await halt(page, live, ada);
  await desk(await supportPage(opened, live), live);
  for (const name of PUBLISHED) if (isPublished) await publishLooks(name);
}

async function publicPages(page: Page): Promise<void> {
  for (const [name, address] of [
    ['home', '/'],
    ['broker-documentation', '/broker-documentations'],
    ['legal-disclosures', '/legal-disclosures'],
    ['hypothetical-disclosures', '/hypothetical-performance-disclosures'],
    ['privacy-policy', '/privacy-policy'],
    ['terms-of-use', '/terms-of-use'],
    ['cookie-policy', '/cookie-policy'],
    ['aml-program', '/aml-program'],
    ['faq', '/faq'],
    ['login', '/login'],
  ] as const) {
    await page.goto(address);
    await page.getByRole('contentinfo').waitFor();
    await look(page, `live-${name}`, { whole: true });
  }
}

/** One person, with an account at each broker. */
async function ownerOfTwoAccounts(live: LiveWorld): Promise<Investor> {
  const { baseUrl } = live.home;
  const ada = await makeInvestor(baseUrl, ADA, (url) => signInAtSecondBroker(url, AT_INTERACTIVE_BROKERS));
  const brokers = await ada.call<Broker[]>('GET', '/api/brokers/');
  const broker = brokers.find(({ name }) => name === 'Alpaca')?.id;
  const begun = await ada.call<{ id: string; authorize_url: string }>('POST', '/api/broker-connections/', {
    broker,
  });
  await approveAtAlpaca(begun.authorize_url);
  for (const id of [ada.connectionId, begun.id])
    await until(async () => {
      const one = await ada.call<BrokerConnection>('GET', `/api/broker-connections/${id}/`);
      return one.connection_status === 'active';
    }, `the account of ${id} is connected`);
  await haveVerified(live, ADA);
  await change(live, planOf(ADA));
  return { ...ada, connectionId: begun.id };
}

async function strategyOf(person: Person): Promise<string> {
  const strategies = await person.call<{ id: string; name: string }[]>('GET', '/api/strategies/');
  const found = strategies.find(({ name }) => name === STRATEGY);
  if (found === undefined) throw new Error(`no strategy is called ${STRATEGY}`);
  return found.id;
}

async function accountsAndWizard(page: Page, ada: Investor): Promise<void> {
  await page.goto('/account?tab=brokers');
  await page.getByText('Interactive Brokers').first().waitFor();
  await look(page, 'live-brokers', { whole: true });
  await page.goto(`/strategy/${await strategyOf(ada)}/deploy`);
  await page.getByRole('group', { name: 'Broker' }).waitFor();
  await look(page, 'live-wizard-brokers', { whole: true });
  for (const name of ['Coinbase', 'Interactive Brokers', 'Alpaca']) {
    await page.getByRole('radio', { name: new RegExp(name) }).check();
    await page.getByRole('button', { name: /^Connect to / }).click();
    await page.getByRole('heading', { name: 'Connect Broker' }).waitFor();
    await look(page, `live-wizard-connect-${name.toLowerCase().replace(' ', '-')}`, { whole: true });
    if (name !== 'Alpaca') await page.getByRole('button', { name: 'Back', exact: true }).click();
  }
  await page.getByRole('button', { name: 'Use this account' }).click();
  await page.getByRole('slider').first().waitFor();
  await look(page, 'live-wizard-configuration', { whole: true });
}

type Pair = { readonly practice: string; readonly real: string };

async function practise(page: Page, ada: Investor): Promise<Pair> {
  await page.goto(`/strategy/${await strategyOf(ada)}/deploy`);
  await page.getByRole('radio', { name: 'Practice' }).check();
  await page.getByLabel('Practice money').fill('20000');
  await look(page, 'live-wizard-practice', { whole: true });
  await page.getByRole('button', { name: 'Review Deployment' }).click();
  await page.getByRole('button', { name: 'Start Practising' }).click();
  await page.waitForURL(/\/deployed-strategies\/[^/]+$/);
  const practice = page.url().split('/').at(-1)!;
  await untilTraded(ada, practice);
  await page.reload();
  await page.getByText('Executed').first().waitFor();
  await look(page, 'live-practice', { whole: true });
  await page.getByRole('button', { name: 'Promote' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Account').waitFor();
  await look(page, 'live-promotion');
  await sheet.getByRole('button', { name: /^Deploy/ }).click();
  await page.waitForURL(
    (url) => /deployed-strategies\/[^/]+$/.test(url.href) && !url.href.endsWith(practice),
  );
  return { practice, real: page.url().split('/').at(-1)! };
}

async function shadow(page: Page, ada: Investor, { real, practice }: Pair): Promise<void> {
  await untilTraded(ada, real);
  for (const [name, id] of [
    ['live-shadow', real],
    ['live-shadow-of-practice', practice],
  ] as const) {
    await page.goto(`/deployed-strategies/${id}?tab=explained`);
    await page
      .getByRole('region', { name: 'Beside Practice' })
      .getByText('Your account', { exact: true })
      .waitFor();
    await look(page, name, { whole: true });
  }
  for (const address of ['/dashboard', '/deployed-strategies']) {
    await page.goto(address);
    await page.getByText('Practice', { exact: true }).first().waitFor();
    await look(page, `live${address.replaceAll('/', '-')}`, { whole: true });
  }
}

type Watched = {
  readonly live: LiveWorld;
  readonly visitor: Page;
  readonly real: string;
  readonly strategy: string;
};

/** Each way in which a feed fails, as the owner and a visitor read it; each ends before the next begins. */
async function doubts(page: Page, { live, visitor, real, strategy }: Watched): Promise<void> {
  const { feeds } = live;
  const ways: readonly (readonly [string, () => void, () => void, RegExp])[] = [
    [
      'feed-contradicted',
      () => feeds.contradicted.set(SHARE, 1.05),
      () => feeds.contradicted.clear(),
      DOUBTED,
    ],
    ['second-feed-silent', () => (feeds.isCheckSilent = true), () => (feeds.isCheckSilent = false), DOUBTED],
    ['feed-late', () => feeds.stand(SHARE), () => feeds.move(SHARE), /is late/],
    ['feed-silent', () => (feeds.isSilent = true), () => (feeds.isSilent = false), /Trading is held up/],
  ];
  for (const [name, fail, heal, note] of ways) {
    if (!isWanted(`live-${name}`)) continue;
    fail();
    const said = await showsWithin(page, `/deployed-strategies/${real}`, note);
    console.log(`${name}: ${said}`);
    await look(page, `live-${name}`);
    await showsWithin(visitor, `/strategy/${strategy}`, note);
    await look(visitor, `live-${name}-strategy`);
    heal();
    // An incident that is noted each time it happens is over when it has not for a while.
    await sleep(SEEN_WELL_MS);
    live.pass(QUIET_MINUTES);
    await goesWithin(page, `/deployed-strategies/${real}`, note);
  }
}

/** Another deployment wants the share while its exchange halts it: the order waits, and says why. */
async function halt(page: Page, { feeds, home }: LiveWorld, ada: Investor): Promise<void> {
  if (!isWanted('live-share-halted')) return;
  feeds.halt(SHARE);
  await sleep(SEEN_WELL_MS);
  const [first] = await ada.call<BrokerConnection[]>('GET', '/api/broker-connections/');
  const person = { ...(await signInAgain(home.baseUrl, ADA)), connectionId: first?.id ?? '' };
  const id = await deploy(person, STRATEGY, { amount: 10_000 });
  await showsWithin(page, `/deployed-strategies/${id}`, /halt/);
  await look(page, 'live-share-halted', { whole: true });
  feeds.resume(SHARE);
}

async function desk(page: Page, { feeds }: LiveWorld): Promise<void> {
  feeds.contradicted.set(SHARE, 1.05);
  await showsWithin(page, '/operations', /^Price doubted/);
  await look(page, 'live-desk-feeds', { whole: true });
  feeds.contradicted.clear();
}

/** The banner that asks for it is not what these pictures are about. */
function haveVerified(live: LiveWorld, email: string): Promise<void> {
  return change(live, 'update users set email_verified_at = now() where email = $1', [email]);
}

async function change(live: LiveWorld, query: string, values: readonly string[] = []): Promise<void> {
  const pool = new pg.Pool({ connectionString: live.databaseUrl() });
  await pool.query(query, [...values]);
  await pool.end();
}

/** She is signed in before she has a role: an invitation with its second factor is not what these pictures are about. */
async function supportPage(opened: Browser, live: LiveWorld): Promise<Page> {
  const email = 'sue@live.example';
  await signInAgain(live.home.baseUrl, email);
  await haveVerified(live, email);
  const page = await openPage(opened, live, email);
  const pool = new pg.Pool({ connectionString: live.databaseUrl() });
  await giveRole({ pool }, { email }, 'support');
  await pool.query(
    `insert into authenticators (user_id, sealed_secret, enabled_at) select id, '', now() from users where email = $1`,
    [email],
  );
  await pool.end();
  return page;
}

async function untilTraded(person: Person, id: string): Promise<void> {
  await until(async () => {
    const { total_trades: trades } = await person.call<Deployment>('GET', `/api/deployments/${id}/`);
    return trades > 0;
  }, `${id} has traded`);
}

async function showsWithin(page: Page, address: string, note: RegExp): Promise<string> {
  const found = page.getByText(note).first();
  await until(async () => {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await sleep(1_500);
    return found.isVisible();
  }, `${address} says ${note}`);
  return found.innerText();
}

async function goesWithin(page: Page, address: string, note: RegExp): Promise<void> {
  await until(async () => {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await sleep(1_500);
    return !(await page.getByText(note).first().isVisible());
  }, `${address} no longer says ${note}`);
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    if (await holds()) return;
    await sleep(1_000);
  }
  throw new Error(`in vain: ${what}`);
}

function isWanted(name: string): boolean {
  return only === undefined || only.some((one) => name.includes(one));
}

async function look(page: Page, name: string, options?: { whole: boolean }): Promise<void> {
  if (!isWanted(name)) return;
  await takeLooks(page, name, options);
  console.log(`${name}: taken`);
}

async function openPage(opened: Browser, { home }: LiveWorld, email: string | null): Promise<Page> {
  const context = await opened.newContext({
    baseURL: home.baseUrl,
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.setViewportSize({ width: 1440, height: 900 });
  if (email === null) return page;
  await page.goto('/login');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(INVESTOR_PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  return page;
}

// An installation that one person runs for themselves, in a browser: no page speaks of a provider's fee, plan or agreement.
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { OWNER_TERMS } from '#rules/provider.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { personPage } from '#tests/support/person-page.ts';
import { testApp } from '#tests/support/test-app.ts';
import { tradedDeployment } from '#tests/support/test-deployment.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

const OF_A_PROVIDER =
  /[^.\n]*(\b(fees?|subscription|agreement|advisers?|licensed|clients who)\b|under number|30%|we are paid)[^.\n]*/gi;

const app = await testApp({ webRoot: WEB_ROOT, installation: 'own', provider: OWNER_TERMS });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser = await launchBrowser();
afterAll(() => browser.close());
const strategy = await publishedStrategy(app, { feePercent: 0 });

/** What the page says once `shown` is on it, all that can be opened being open. */
async function textOf(page: Page, address: string, shown: string): Promise<string> {
  await page.goto(address);
  const main = page.getByRole('main');
  await main.getByText(shown).first().waitFor();
  for (const closed of await main.locator('details:not([open]) > summary').all()) await closed.click();
  // The rehearsal of a stored result without bars goes on loading; what it says of fees is there at once.
  await expect.poll(() => page.getByText(/^Loading(?! prices)/).count()).toBe(0);
  return page.evaluate<string>('document.body.innerText');
}

const STRATEGY = [`/strategy/${strategy}`, 'How much to trust this'] as const;
const PUBLIC = [
  ['/', 'How It Works'],
  ['/marketplace', 'Calm Trend'],
  STRATEGY,
  ['/faq', 'There is no company behind it'],
  ['/legal-disclosures', 'There is no company behind it'],
  ['/privacy-policy', 'Where your data is'],
  ['/hypothetical-performance-disclosures', 'Your taxes are not taken off.'],
  ['/cookie-policy', 'browser'],
  ['/broker-documentations', 'Alpaca'],
] as const;

test('no page that a visitor sees speaks of a fee, a plan or an agreement', {
  timeout: 120_000,
}, async () => {
  const page = await personPage(browser, base);
  for (const [address, shown] of PUBLIC)
    expect((await textOf(page, address, shown)).match(OF_A_PROVIDER), address).toBeNull();
  await page.context().close();
});

test('nor does any page of the owner', { timeout: 180_000 }, async () => {
  const { person, deploymentId } = await tradedDeployment(app);
  const page = await personPage(browser, base, person);
  for (const [address, shown] of [
    ['/dashboard', 'Calm Trend'],
    ['/deployed-strategies', 'Calm Trend'],
    [`/deployed-strategies/${deploymentId}`, 'Trades History'],
    STRATEGY,
    [`/strategy/${strategy}/deploy`, 'What this means for you'],
    ['/account', 'Statement of risks'],
    ['/account?tab=notifications', 'Strategy updates'],
    ['/account?plans', 'Member since'],
  ] as const)
    expect((await textOf(page, address, shown)).match(OF_A_PROVIDER), address).toBeNull();
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('region', { name: 'User menu' }).waitFor();
  expect(await page.getByText('Subscription Plan').count()).toBe(0);
  for (const address of ['/fees', '/billing', '/terms-of-use', '/aml-program']) {
    await page.goto(address);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  }
  await page.context().close();
});

test('no page asks the owner to connect a broker: the account of the keys is connected', {
  timeout: 60_000,
}, async () => {
  const page = await personPage(browser, base, await signedInPerson(app));
  for (const [address, shown] of [
    ['/dashboard', 'The account of the keys that this installation was started with'],
    ['/account?tab=brokers', 'This installation trades the account of the keys'],
    ['/broker-documentations', 'Your strategies trade in your own brokerage account.'],
  ] as const)
    expect(await textOf(page, address, shown), address).not.toMatch(/how to connect it|You connect/);
  await page.context().close();
});

test('the owner may trade from any country: nobody serves them', async () => {
  const { token } = await signedInPerson(app);
  const { body } = await app.request({ url: '/api/auth/me/', token });
  expect(body).toMatchObject({ country: null, is_eligible: true, is_agreement_signed: false });
});

test('no answer of the API tells a fee', async () => {
  const { token } = await signedInPerson(app);
  const { body: strategies } = await app.request({ url: '/api/strategies/', token });
  const fees = (strategies as { fees: number }[]).map((one) => one.fees);
  expect(fees.length).toBeGreaterThan(0);
  expect(new Set(fees)).toEqual(new Set([0]));
  const { body: shown } = await app.request({ url: `/api/strategies/${strategy}/`, token });
  expect(shown).toMatchObject({ fees: 0, evidence: { after_fee: { fee_percent: 0 } } });
  const { body: passport } = await app.request({ url: `/api/strategies/${strategy}/evidence/`, token });
  expect(passport).toMatchObject({ costs: { performanceFeePercent: 0 } });
  const { body: eligibility } = await app.request({ url: '/api/eligibility/', token });
  expect(eligibility).toMatchObject({
    performance_fee: {
      is_charged: false,
      needs_attestation: false,
      text: 'Nobody charges a fee here: you run this installation for yourself.',
    },
  });
});

// Every place of the product that a person can reach: addresses, dialogs, tabs, steps, and the states that appear only
// when something is missing or fails.
import type { Page } from 'playwright-core';

/** A visitor, a person with deployments, the same person with some of those steps not taken, or support staff. */
export type Who = 'visitor' | 'investor' | 'newcomer' | 'unsigned' | 'ineligible' | 'support';

export type Place = {
  readonly name: string;
  readonly path: string;
  readonly who: Who;
  /** Addresses that answer with a failure here. */
  readonly fails?: string;
  /** Gets there from the page. */
  readonly reach?: (page: Page) => Promise<void>;
  /** Read without signing in, found by search machines, and held to the limits of loading. */
  readonly isPublic?: true;
  /** About somebody's money: held to how soon its first figure stands there. */
  readonly isOfMoney?: true;
};

/** What the addresses hold. */
export type Things = { readonly strategy: string; readonly deployment: string };

const press = (name: string | RegExp) => async (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
const NOWHERE = '00000000-0000-4000-8000-000000000000';

export function listPlaces({ strategy, deployment }: Things): readonly Place[] {
  return [
    ...publicPages(strategy),
    ...visitorStates(strategy),
    ...investorPages(strategy, deployment),
    ...newcomerPages(strategy),
    ...supportPages(),
  ];
}

function publicPages(strategy: string): Place[] {
  const page = (name: string, path: string): Place => ({ name, path, who: 'visitor', isPublic: true });
  return [
    page('home', '/'),
    page('marketplace', '/marketplace'),
    page('strategy', `/strategy/${strategy}`),
    page('sign in', '/login'),
    page('broker documentation', '/broker-documentations'),
    page('FAQ', '/faq'),
    page('hypothetical performance', '/hypothetical-performance-disclosures'),
    page('legal disclosures', '/legal-disclosures'),
    page('privacy policy', '/privacy-policy'),
    page('terms of use', '/terms-of-use'),
    page('cookie policy', '/cookie-policy'),
    page('AML program', '/aml-program'),
  ];
}

function visitorStates(strategy: string): Place[] {
  const who = 'visitor';
  return [
    { name: 'home, list failed', path: '/', who, fails: '**/api/strategies/**' },
    { name: 'demo', path: '/', who, reach: press('View Demo') },
    { name: 'unknown address', path: '/no/such/page', who },
    { name: 'marketplace, no match', path: '/marketplace?search=no-such-thing', who },
    { name: 'marketplace, failed', path: '/marketplace', who, fails: '**/api/strategies/' },
    { name: 'strategy, not found', path: `/strategy/${NOWHERE}`, who },
    {
      name: 'strategy, failed',
      path: `/strategy/${strategy}`,
      who,
      fails: `**/api/strategies/${strategy}/**`,
    },
    ...['trades', 'limits', 'holdings', 'rules'].map(
      (tab): Place => ({ name: `strategy, ${tab}`, path: `/strategy/${strategy}?tab=${tab}`, who }),
    ),
    { name: 'marketplace, too dear', path: '/marketplace?money=1000', who },
    { name: 'chart as table', path: `/strategy/${strategy}`, who, reach: press('Table') },
    {
      name: 'all measures',
      path: `/strategy/${strategy}?tab=returns`,
      who,
      reach: (page) => page.getByText('All measures').first().click(),
    },
    {
      name: 'register',
      path: '/login',
      who,
      reach: (page) => page.getByRole('tab', { name: 'Register' }).click(),
    },
    {
      name: 'sign in, refused',
      path: '/login',
      who,
      reach: (page) => page.locator('form').getByRole('button').last().click(),
    },
    {
      name: 'forgot password',
      path: '/login',
      who,
      reach: (page) =>
        page
          .getByText(/Forgot/)
          .first()
          .click(),
    },
    { name: 'reset password', path: '/reset-password?token=none', who },
    { name: 'invitation', path: '/invitation?token=none', who },
    { name: 'verify an address', path: '/verify-email?token=none', who },
    { name: 'broker, coming soon', path: '/broker-documentations', who, reach: press(/Coming soon/) },
    { name: 'menu', path: '/faq', who, reach: pressIfShown('Menu') },
  ];
}

function investorPages(strategy: string, deployment: string): Place[] {
  const who = 'investor';
  const one = `/deployed-strategies/${deployment}`;
  const wizard = (step: string) => `/strategy/${strategy}/deploy?step=${step}`;
  return [
    { name: 'home, signed in', path: '/', who },
    { name: 'dashboard', path: '/dashboard', who, isOfMoney: true },
    { name: 'dashboard, failed', path: '/dashboard', who, fails: '**/api/deployments/**' },
    { name: 'user menu', path: '/dashboard', who, reach: press(/^User menu/) },
    { name: 'notifications', path: '/dashboard', who, reach: press(/^Notifications/) },
    { name: 'deployed', path: '/deployed-strategies', who, isOfMoney: true },
    {
      name: 'deployed, no match',
      path: '/deployed-strategies',
      who,
      reach: (page) => page.getByRole('searchbox').fill('no-such-thing'),
    },
    { name: 'deployed: halt everything', path: '/deployed-strategies', who, reach: press('Halt everything') },
    { name: 'deployed, failed', path: '/deployed-strategies', who, fails: '**/api/deployments/' },
    { name: 'deployment', path: one, who, isOfMoney: true },
    ...['timeline', 'trades', 'explained', 'cash', 'limits'].map(
      (tab): Place => ({ name: `deployment, ${tab}`, path: `${one}?tab=${tab}`, who }),
    ),
    { name: 'portfolio', path: '/portfolio', who, isOfMoney: true },
    { name: 'statements', path: '/statements', who, isOfMoney: true },
    { name: 'deployment, not found', path: `/deployed-strategies/${NOWHERE}`, who },
    { name: 'deployment, failed', path: one, who, fails: `**/api/deployments/${deployment}/**` },
    { name: 'settings', path: one, who, reach: press('Settings') },
    { name: 'close', path: one, who, reach: press('Close Deployment') },
    { name: 'wizard: risk', path: wizard('risk-assessment'), who },
    { name: 'wizard: questions', path: wizard('risk-assessment'), who, reach: press('Retake Assessment') },
    { name: 'wizard: broker', path: wizard('broker-selection'), who },
    { name: 'wizard: no broker', path: wizard('broker-connection'), who },
    { name: 'wizard: connection', path: wizard('broker-selection'), who, reach: chooseBroker },
    { name: 'wizard: configuration', path: wizard('broker-selection'), who, reach: useConnected },
    {
      name: 'wizard: confirmation',
      path: wizard('broker-selection'),
      who,
      reach: async (page) => {
        await useConnected(page);
        await press('Review Deployment')(page);
      },
    },
    { name: 'plans', path: '/dashboard?plans=open', who },
    { name: 'plans, failed', path: '/dashboard?plans=open', who, fails: '**/api/plans/' },
    { name: 'billing', path: '/billing?plan=pro&interval=yearly', who },
    { name: 'billing, no plan', path: '/billing', who },
    { name: 'receipt, not found', path: `/billing?receipt=${NOWHERE}`, who },
    { name: 'cancel plan', path: '/account', who, reach: press('Cancel plan') },
    { name: 'custom strategies', path: '/custom-strategies', who },
    {
      name: 'custom strategies: AI',
      path: '/custom-strategies',
      who,
      reach: (page) =>
        page
          .getByRole('radio', { name: 'AI Builder' })
          .or(page.getByRole('tab', { name: 'AI Builder' }))
          .click(),
    },
    { name: 'new strategy, none', path: '/strategy/new', who },
    { name: 'wizard, not found', path: `/strategy/${NOWHERE}/deploy`, who },
    ...['profile', 'brokers', 'security', 'notifications'].map(
      (tab) =>
        ({
          name: `account: ${tab}`,
          path: `/account?tab=${tab}`,
          who,
        }) as const,
    ),
  ];
}

function newcomerPages(strategy: string): Place[] {
  const deploy = `/strategy/${strategy}/deploy`;
  const agreement = { path: deploy, reach: press('Continue with Current Profile') };
  return [
    { name: 'dashboard, nothing yet', path: '/dashboard', who: 'newcomer' },
    { name: 'deployed, nothing yet', path: '/deployed-strategies', who: 'newcomer' },
    { name: 'wizard: first question', path: deploy, who: 'newcomer' },
    { name: 'wizard: no answer', path: deploy, who: 'newcomer', reach: press('Next Question') },
    { name: 'account, no broker', path: '/account?tab=brokers', who: 'newcomer' },
    { name: 'wizard: age and country', who: 'ineligible', ...agreement },
    { name: 'wizard: agreement', who: 'unsigned', ...agreement },
  ];
}

function supportPages(): Place[] {
  const desk = { path: '/operations', who: 'support' } as const;
  return [
    { name: 'operations', ...desk },
    { name: 'operations, failed', ...desk, fails: '**/api/operations/' },
    { name: 'operations: halt trading', ...desk, reach: press('Halt trading') },
    { name: 'operations: close a difference', ...desk, reach: press(/^Resolve: EURUSD/) },
    { name: 'operations: approve an adjustment', ...desk, reach: press(/^Approve: reverse/) },
    { name: 'operations: approve a lifting', ...desk, reach: press(/^Approve lifting/) },
    {
      name: 'operations: halt a client',
      ...desk,
      reach: async (page) => {
        await press('Halt trading')(page);
        await page.getByRole('radio', { name: 'Client' }).click();
      },
    },
  ];
}

/** Some controls are there in one width only. */
function pressIfShown(name: string) {
  return async (page: Page) => {
    const button = page.getByRole('button', { name, exact: true }).first();
    if (await button.isVisible()) await button.click();
  };
}

async function chooseBroker(page: Page): Promise<void> {
  await page.getByRole('radio').last().check();
  await press(/^Connect to/)(page);
}

async function useConnected(page: Page): Promise<void> {
  await chooseBroker(page);
  await press('Use this account')(page);
  await page.getByLabel('Investment Amount').waitFor();
}

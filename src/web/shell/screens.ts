import type { ComponentType } from 'react';

/** An address and what is shown there: a file of its own, loaded when first gone to. */
export type Screen = {
  readonly path: string;
  /** The screen's name under screens/: with the document, its scripts are announced. */
  readonly file: string;
  readonly load: () => Promise<ComponentType>;
  /** A page of signed-in people: others are sent to sign-in and come back here. */
  readonly signedIn?: true;
};

const home = async () => (await import('../screens/home.tsx')).Home;

/** Every address of the app. */
export const SCREENS: readonly Screen[] = [
  { path: '/', file: 'home', load: home },
  {
    path: '/marketplace',
    file: 'marketplace',
    load: async () => (await import('../screens/marketplace.tsx')).Marketplace,
  },
  {
    path: '/strategy/:id',
    file: 'strategy-detail',
    load: async () => (await import('../screens/strategy-detail.tsx')).StrategyDetail,
  },
  { path: '/login', file: 'login', load: async () => (await import('../screens/login.tsx')).Login },
  {
    path: '/reset-password',
    file: 'reset-password',
    load: async () => (await import('../screens/reset-password.tsx')).ResetPassword,
  },
  {
    path: '/broker-documentations',
    file: 'broker-documentation',
    load: async () => (await import('../screens/broker-documentation.tsx')).BrokerDocumentation,
  },
  { path: '/faq', file: 'faq', load: async () => (await import('../screens/faq.tsx')).Faq },
  {
    path: '/hypothetical-performance-disclosures',
    file: 'hypothetical-disclosures',
    load: async () => (await import('../screens/hypothetical-disclosures.tsx')).HypotheticalDisclosures,
  },
  {
    path: '/legal-disclosures',
    file: 'legal-disclosures',
    load: async () => (await import('../screens/legal-disclosures.tsx')).LegalDisclosures,
  },
  {
    path: '/privacy-policy',
    file: 'privacy-policy',
    load: async () => (await import('../screens/privacy-policy.tsx')).PrivacyPolicy,
  },
  {
    path: '/terms-of-use',
    file: 'terms-of-use',
    load: async () => (await import('../screens/terms-of-use.tsx')).TermsOfUse,
  },
  {
    path: '/cookie-policy',
    file: 'cookie-policy',
    load: async () => (await import('../screens/cookie-policy.tsx')).CookiePolicy,
  },
  {
    path: '/aml-program',
    file: 'aml-program',
    load: async () => (await import('../screens/aml-program.tsx')).AmlProgram,
  },
  {
    path: '/strategy/:id/deploy',
    file: 'deploy',
    load: async () => (await import('../screens/deploy.tsx')).Deploy,
    signedIn: true,
  },
  {
    path: '/dashboard',
    file: 'dashboard',
    load: async () => (await import('../screens/dashboard.tsx')).Dashboard,
    signedIn: true,
  },
  {
    path: '/deployed-strategies',
    file: 'deployed-strategies',
    load: async () => (await import('../screens/deployed-strategies.tsx')).DeployedStrategies,
    signedIn: true,
  },
  {
    path: '/deployed-strategies/:id',
    file: 'deployment-detail',
    load: async () => (await import('../screens/deployment-detail.tsx')).DeploymentDetail,
    signedIn: true,
  },
  {
    path: '/account',
    file: 'account',
    load: async () => (await import('../screens/account.tsx')).Account,
    signedIn: true,
  },
  {
    path: '/billing',
    file: 'billing',
    load: async () => (await import('../screens/billing.tsx')).Billing,
    signedIn: true,
  },
  {
    path: '/custom-strategies',
    file: 'custom-strategies',
    load: async () => (await import('../screens/custom-strategies.tsx')).CustomStrategies,
    signedIn: true,
  },
  {
    path: '/strategy/new',
    file: 'strategy-new',
    load: async () => (await import('../screens/strategy-new.tsx')).StrategyNew,
    signedIn: true,
  },
  {
    path: '/operations',
    file: 'operations',
    load: async () => (await import('../screens/operations.tsx')).Operations,
    signedIn: true,
  },
  { path: '*', file: 'home', load: home },
];

import type { ComponentType } from 'react';

/** An address and its screen: a separate file, loaded on the first visit. */
export type Screen = {
  readonly path: string;
  /** The screen's file under screens/: with the document, its scripts are announced. */
  readonly file: string;
  readonly load: () => Promise<ComponentType>;
  /** A page of signed-in people: others are sent to sign-in and come back here. */
  readonly signedIn?: true;
  /** Of clients and their provider: where there is neither, it leads to the start. */
  readonly ofProvider?: true;
};

const home = async () => (await import('../screens/home/home.tsx')).Home;

/** Every address of the app. */
export const SCREENS: readonly Screen[] = [
  { path: '/', file: 'home/home', load: home },
  {
    path: '/marketplace',
    file: 'marketplace',
    load: async () => (await import('../screens/marketplace.tsx')).Marketplace,
  },
  {
    path: '/strategy/:id',
    file: 'strategy-detail/strategy-detail',
    load: async () => (await import('../screens/strategy-detail/strategy-detail.tsx')).StrategyDetail,
  },
  { path: '/login', file: 'login', load: async () => (await import('../screens/login.tsx')).Login },
  {
    path: '/reset-password',
    file: 'reset-password',
    load: async () => (await import('../screens/reset-password.tsx')).ResetPassword,
  },
  {
    path: '/broker-documentations',
    file: 'broker-documentation/broker-documentation',
    load: async () =>
      (await import('../screens/broker-documentation/broker-documentation.tsx')).BrokerDocumentation,
  },
  { path: '/faq', file: 'faq', load: async () => (await import('../screens/faq.tsx')).Faq },
  {
    path: '/hypothetical-performance-disclosures',
    file: 'legal/hypothetical-disclosures',
    load: async () => (await import('../screens/legal/hypothetical-disclosures.tsx')).HypotheticalDisclosures,
  },
  {
    path: '/legal-disclosures',
    file: 'legal/legal-disclosures',
    load: async () => (await import('../screens/legal/legal-disclosures.tsx')).LegalDisclosures,
  },
  {
    path: '/privacy-policy',
    file: 'legal/privacy-policy',
    load: async () => (await import('../screens/legal/privacy-policy.tsx')).PrivacyPolicy,
  },
  {
    path: '/terms-of-use',
    file: 'legal/terms-of-use',
    load: async () => (await import('../screens/legal/terms-of-use.tsx')).TermsOfUse,
    ofProvider: true,
  },
  {
    path: '/cookie-policy',
    file: 'legal/cookie-policy',
    load: async () => (await import('../screens/legal/cookie-policy.tsx')).CookiePolicy,
  },
  {
    path: '/aml-program',
    file: 'legal/aml-program',
    load: async () => (await import('../screens/legal/aml-program.tsx')).AmlProgram,
    ofProvider: true,
  },
  {
    path: '/strategy/:id/deploy',
    file: 'deploy/deploy',
    load: async () => (await import('../screens/deploy/deploy.tsx')).Deploy,
    signedIn: true,
  },
  {
    path: '/dashboard',
    file: 'dashboard/dashboard',
    load: async () => (await import('../screens/dashboard/dashboard.tsx')).Dashboard,
    signedIn: true,
  },
  {
    path: '/deployed-strategies',
    file: 'deployed-strategies/deployed-strategies',
    load: async () =>
      (await import('../screens/deployed-strategies/deployed-strategies.tsx')).DeployedStrategies,
    signedIn: true,
  },
  {
    path: '/deployed-strategies/:id',
    file: 'deployment/deployment-detail',
    load: async () => (await import('../screens/deployment/deployment-detail.tsx')).DeploymentDetail,
    signedIn: true,
  },
  {
    path: '/portfolio',
    file: 'portfolio/portfolio',
    load: async () => (await import('../screens/portfolio/portfolio.tsx')).Portfolio,
    signedIn: true,
  },
  {
    path: '/statements',
    file: 'portfolio/statements',
    load: async () => (await import('../screens/portfolio/statements.tsx')).Statements,
    signedIn: true,
  },
  {
    path: '/account',
    file: 'account/account',
    load: async () => (await import('../screens/account/account.tsx')).Account,
    signedIn: true,
  },
  {
    path: '/billing',
    file: 'billing',
    load: async () => (await import('../screens/billing.tsx')).Billing,
    signedIn: true,
    ofProvider: true,
  },
  {
    path: '/fees',
    file: 'fees/fees',
    load: async () => (await import('../screens/fees/fees.tsx')).Fees,
    signedIn: true,
    ofProvider: true,
  },
  {
    path: '/fees/:id',
    file: 'fees/fee-bill',
    load: async () => (await import('../screens/fees/fee-bill.tsx')).FeeBillScreen,
    signedIn: true,
    ofProvider: true,
  },
  {
    path: '/custom-strategies',
    file: 'custom-strategies',
    load: async () => (await import('../screens/custom-strategies.tsx')).CustomStrategies,
    signedIn: true,
  },
  {
    path: '/strategy/new',
    file: 'strategy-new/strategy-new',
    load: async () => (await import('../screens/strategy-new/strategy-new.tsx')).StrategyNew,
    signedIn: true,
  },
  {
    path: '/operations',
    file: 'operations',
    load: async () => (await import('../screens/operations.tsx')).Operations,
    signedIn: true,
  },
  {
    path: '/catalogue',
    file: 'catalogue',
    load: async () => (await import('../screens/catalogue.tsx')).Catalogue,
    signedIn: true,
  },
  {
    path: '/catalogue/:id',
    file: 'catalogue-strategy',
    load: async () => (await import('../screens/catalogue-strategy.tsx')).CatalogueStrategyPage,
    signedIn: true,
  },
  {
    path: '/operations/clients',
    file: 'clients',
    load: async () => (await import('../screens/clients.tsx')).Clients,
    signedIn: true,
  },
  {
    path: '/operations/clients/:id',
    file: 'client',
    load: async () => (await import('../screens/client.tsx')).ClientScreen,
    signedIn: true,
  },
  {
    path: '/staff',
    file: 'staff',
    load: async () => (await import('../screens/staff.tsx')).Staff,
    signedIn: true,
  },
  {
    path: '/audit-log',
    file: 'audit-log',
    load: async () => (await import('../screens/audit-log.tsx')).AuditLog,
    signedIn: true,
  },
  {
    path: '/invitation',
    file: 'invitation',
    load: async () => (await import('../screens/invitation.tsx')).InvitationScreen,
  },
  {
    path: '/verify-email',
    file: 'verify-email',
    load: async () => (await import('../screens/verify-email.tsx')).VerifyEmail,
  },
  { path: '*', file: 'home/home', load: home },
];

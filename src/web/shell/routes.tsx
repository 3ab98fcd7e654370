import type { RouteObject } from 'react-router';
import { RequireSession } from '../identity/require-session.tsx';
import { ApplicationError } from './application-error.tsx';
import { RootLayout } from './root-layout.tsx';

const home: RouteObject['lazy'] = async () => ({ Component: (await import('../screens/home.tsx')).Home });

/** Every address of the app. Each screen is its own file, loaded when first gone to. */
export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: ApplicationError,
    HydrateFallback: () => null,
    children: [
      { path: '/', lazy: home },
      {
        path: '/marketplace',
        lazy: async () => ({ Component: (await import('../screens/marketplace.tsx')).Marketplace }),
      },
      {
        path: '/strategy/:id',
        lazy: async () => ({ Component: (await import('../screens/strategy-detail.tsx')).StrategyDetail }),
      },
      { path: '/login', lazy: async () => ({ Component: (await import('../screens/login.tsx')).Login }) },
      {
        path: '/reset-password',
        lazy: async () => ({ Component: (await import('../screens/reset-password.tsx')).ResetPassword }),
      },
      {
        path: '/broker-documentations',
        lazy: async () => ({
          Component: (await import('../screens/broker-documentation.tsx')).BrokerDocumentation,
        }),
      },
      { path: '/faq', lazy: async () => ({ Component: (await import('../screens/faq.tsx')).Faq }) },
      {
        path: '/hypothetical-performance-disclosures',
        lazy: async () => ({
          Component: (await import('../screens/hypothetical-disclosures.tsx')).HypotheticalDisclosures,
        }),
      },
      {
        path: '/legal-disclosures',
        lazy: async () => ({
          Component: (await import('../screens/legal-disclosures.tsx')).LegalDisclosures,
        }),
      },
      {
        path: '/privacy-policy',
        lazy: async () => ({ Component: (await import('../screens/privacy-policy.tsx')).PrivacyPolicy }),
      },
      {
        path: '/terms-of-use',
        lazy: async () => ({ Component: (await import('../screens/terms-of-use.tsx')).TermsOfUse }),
      },
      {
        path: '/cookie-policy',
        lazy: async () => ({ Component: (await import('../screens/cookie-policy.tsx')).CookiePolicy }),
      },
      {
        path: '/aml-program',
        lazy: async () => ({ Component: (await import('../screens/aml-program.tsx')).AmlProgram }),
      },
      {
        Component: RequireSession,
        // The pages of signed-in people: others are sent to sign-in and come back here.
        children: [
          {
            path: '/strategy/:id/deploy',
            lazy: async () => ({ Component: (await import('../screens/deploy.tsx')).Deploy }),
          },
          {
            path: '/dashboard',
            lazy: async () => ({ Component: (await import('../screens/dashboard.tsx')).Dashboard }),
          },
          {
            path: '/deployed-strategies',
            lazy: async () => ({
              Component: (await import('../screens/deployed-strategies.tsx')).DeployedStrategies,
            }),
          },
          {
            path: '/deployed-strategies/:id',
            lazy: async () => ({
              Component: (await import('../screens/deployment-detail.tsx')).DeploymentDetail,
            }),
          },
          {
            path: '/account',
            lazy: async () => ({ Component: (await import('../screens/account.tsx')).Account }),
          },
        ],
      },
      { path: '*', lazy: home },
    ],
  },
];

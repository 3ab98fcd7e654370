import type { User } from '#contract/identity.ts';

type Destination = { readonly to: string; readonly label: string };

const MARKETPLACE: Destination = { to: '/marketplace', label: 'AI Model Marketplace' };

/** Opens the plans over the current page. */
export const PLANS_LABEL = 'Subscription Plan';

const OPERATIONS: Destination = { to: '/operations', label: 'Operations' };
const CATALOGUE: Destination = { to: '/catalogue', label: 'Catalogue' };
const CLIENTS: Destination = { to: '/operations/clients', label: 'Clients' };
const STAFF: Destination = { to: '/staff', label: 'Staff' };
const AUDIT_LOG: Destination = { to: '/audit-log', label: 'Audit Log' };
const DASHBOARD: Destination = { to: '/dashboard', label: 'Dashboard' };

/** The header's links (specification section 2); support staff have their desk as well, the provider's the catalogue, admins the page of staff. */
export function headerLinks(user: Pick<User, 'role'> | null): readonly Destination[] {
  if (user === null) return [MARKETPLACE];
  return [
    ...(user.role === 'support' ? [OPERATIONS, CLIENTS] : []),
    ...(user.role === 'provider' ? [CATALOGUE] : []),
    ...(user.role === 'admin' ? [STAFF] : []),
    ...(user.role === 'admin' || user.role === 'auditor' ? [AUDIT_LOG] : []),
    DASHBOARD,
    { to: '/deployed-strategies', label: 'Deployed Models' },
    MARKETPLACE,
    { to: '/account', label: 'Account Settings' },
  ];
}

/** Reached from the dashboard and by the palette. */
export const MONEY_LINKS: readonly Destination[] = [
  { to: '/portfolio', label: 'Portfolio' },
  { to: '/statements', label: 'Statements' },
];

/** The footer's links in three groups (specification section 2); without a provider there is nobody whose terms they are. */
export function footerLinks({
  isSignedIn,
  hasProvider,
}: {
  isSignedIn: boolean;
  hasProvider: boolean;
}): readonly { title: string; links: readonly Destination[] }[] {
  const personal = isSignedIn
    ? [DASHBOARD, { to: '/deployed-strategies', label: 'My Strategies' }]
    : [{ to: '/login', label: 'Sign In' }];
  return [
    { title: 'Product', links: [MARKETPLACE, ...personal] },
    {
      title: 'Help',
      links: [
        { to: '/broker-documentations', label: 'Broker Documentation' },
        { to: '/faq', label: 'FAQ' },
      ],
    },
    {
      title: 'Legal',
      links: [
        { to: '/hypothetical-performance-disclosures', label: 'Hypothetical Performance' },
        { to: '/legal-disclosures', label: 'Legal Disclosures' },
        { to: '/privacy-policy', label: 'Privacy Policy' },
        ...(hasProvider ? [{ to: '/terms-of-use', label: 'Terms of Use' }] : []),
        { to: '/cookie-policy', label: 'Cookie Policy' },
        ...(hasProvider ? [{ to: '/aml-program', label: 'AML Program' }] : []),
      ],
    },
  ];
}

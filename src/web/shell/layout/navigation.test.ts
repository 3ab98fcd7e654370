import { expect, test } from 'vitest';
import { footerLinks, headerLinks } from './navigation.ts';

const LEGAL = [
  '/hypothetical-performance-disclosures',
  '/legal-disclosures',
  '/privacy-policy',
  '/terms-of-use',
  '/cookie-policy',
  '/aml-program',
];
const allOf = (isSignedIn: boolean, hasProvider = true) =>
  footerLinks({ isSignedIn, hasProvider }).flatMap(({ links }) => links);

test('the header leads visitors to the marketplace alone, people to their own places too', () => {
  expect(headerLinks(null)).toEqual([{ to: '/marketplace', label: 'AI Model Marketplace' }]);
  const own = [
    { to: '/dashboard', label: 'Dashboard' },
    { to: '/deployed-strategies', label: 'Deployed Models' },
    { to: '/marketplace', label: 'AI Model Marketplace' },
    { to: '/account', label: 'Account Settings' },
  ];
  expect(headerLinks({ role: 'investor' })).toEqual(own);
  expect(headerLinks({ role: 'provider' })).toEqual([{ to: '/catalogue', label: 'Catalogue' }, ...own]);
  expect(headerLinks({ role: 'support' })).toEqual([
    { to: '/operations', label: 'Operations' },
    { to: '/operations/clients', label: 'Clients' },
    ...own,
  ]);
  const auditLog = { to: '/audit-log', label: 'Audit Log' };
  expect(headerLinks({ role: 'admin' })).toEqual([{ to: '/staff', label: 'Staff' }, auditLog, ...own]);
  expect(headerLinks({ role: 'auditor' })).toEqual([auditLog, ...own]);
});

test('the footer offers a visitor the sign-in, and a user their own pages', () => {
  const everybody = ['/marketplace', '/broker-documentations', '/faq', ...LEGAL];
  expect(
    allOf(false)
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual([...everybody, '/login'].toSorted());
  expect(
    allOf(true)
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual([...everybody, '/dashboard', '/deployed-strategies'].toSorted());
  expect(allOf(true)).toContainEqual({ to: '/deployed-strategies', label: 'My Strategies' });
});

test('without a provider there are no terms of one', () => {
  const addresses = allOf(true, false).map(({ to }) => to);
  expect(addresses).toContain('/legal-disclosures');
  expect(addresses).not.toContain('/terms-of-use');
  expect(addresses).not.toContain('/aml-program');
});

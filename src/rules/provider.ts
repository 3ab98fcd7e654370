// Who runs the product: name, licence, contact and the home page's copy, so that another adviser can run it under its own
// name (specification, sections 1 and 2). What legal texts say of the provider is a setting each; a market of simulated
// prices has a fictitious company that says so.

/** The setting of each term that a provider fills in. */
export const PROVIDER_SETTINGS = {
  companyName: 'PROVIDER_COMPANY',
  registrationNumber: 'PROVIDER_REGISTRATION',
  address: 'PROVIDER_ADDRESS',
  licenceNumber: 'PROVIDER_LICENCE',
  contactEmail: 'PROVIDER_CONTACT_EMAIL',
  complaintsEmail: 'PROVIDER_COMPLAINTS_EMAIL',
  privacyOfficer: 'PROVIDER_PRIVACY_OFFICER',
  complianceOfficer: 'PROVIDER_COMPLIANCE_OFFICER',
  minimumInvestment: 'PROVIDER_MINIMUM_INVESTMENT',
} as const;

export type ProviderTerms = { readonly [Term in keyof typeof PROVIDER_SETTINGS]: string };

const FIXED = {
  productName: 'Bellwether',
  licenceAuthority: 'Financial Sector Conduct Authority of South Africa',
  countryOfLicence: 'South Africa',
  governingLaw: 'the Republic of South Africa',
  relationshipSummaryEffective: '2025-06-02',
} as const;

export type Provider = ProviderTerms & typeof FIXED;

/** Of a market with simulated or past prices. */
export const FICTITIOUS_TERMS: ProviderTerms = {
  companyName: 'Bellwether Demonstration (Pty) Ltd (a fictitious company)',
  registrationNumber: '2025/000000/07 (fictitious)',
  licenceNumber: 'FSP 00000 (fictitious)',
  address: '1 Example Street, Johannesburg, South Africa (fictitious)',
  contactEmail: 'support@bellwether.example',
  complaintsEmail: 'complaints@bellwether.example',
  privacyOfficer: 'Thandi Example (fictitious)',
  complianceOfficer: 'Sipho Example (fictitious)',
  // Specification, section 9: a placeholder amount.
  minimumInvestment: '$XXXX',
};

/** Of an installation that one person runs for themselves alone: there is no company, and no client. */
export const OWNER_TERMS: ProviderTerms = {
  companyName: 'The person who runs this installation for themselves',
  registrationNumber: 'none, because there is no company',
  licenceNumber: 'none, because there are no clients',
  address: 'at the address of that person',
  contactEmail: 'owner@localhost',
  complaintsEmail: 'owner@localhost',
  privacyOfficer: 'that person',
  complianceOfficer: 'that person',
  minimumInvestment: '$0',
};

/** What a document has in place of each term until it is served: the name of its setting. */
export const TERM_PLACES = termsBy((_term, setting) => `%${setting}%`);

export function provider(terms: ProviderTerms): Provider {
  return { ...FIXED, ...terms };
}

/** For texts that name the product and nothing that a provider fills in. */
export const { productName: PRODUCT_NAME } = FIXED;

export function termsBy(say: (term: keyof ProviderTerms, setting: string) => string): ProviderTerms {
  const entries = Object.entries(PROVIDER_SETTINGS) as [keyof ProviderTerms, string][];
  return Object.fromEntries(
    entries.map(([term, setting]) => [term, say(term, setting)]),
  ) as unknown as ProviderTerms;
}

/** A legal text that clients rely on may not have it: text in brackets, a fictitious name, a reserved address. */
export function isPlaceholder(text: string): boolean {
  return /[[\]]|fictitious|\.example$|example\.(com|org|net)$|X{3,}|^(todo|tbd|none)$/i.test(text);
}

type HomeTile = { readonly value: string; readonly label: string };

/** The provider's own copy (specification, section 2, Home), not computed: for the demonstration alone, with HOME_TILES_NOTE. */
export const HOME_TILES: readonly HomeTile[] = [
  { value: '24.5%', label: 'Average annual return' },
  { value: '1.68', label: 'Average Sharpe ratio' },
  { value: '$245M', label: 'Assets under management' },
];

export const HOME_TILES_NOTE =
  'Illustrative figures supplied by the provider. They are not results of any client account.';

/** The version of the investment agreement that a client signs; a new text is a new version: see agreement-versions.ts. */
export const AGREEMENT_VERSION = '2026-11-27';

// Who runs the product: name, licence, contact, legal placeholders and the home page's copy, in one file, so that
// another adviser can run it under its own name (specification, sections 1 and 2). Text in square brackets is to be
// filled in by the provider.

export type Provider = {
  readonly productName: string;
  readonly companyName: string;
  readonly registrationNumber: string;
  readonly licence: { readonly authority: string; readonly number: string };
  readonly countryOfLicence: string;
  readonly address: string;
  readonly contactEmail: string;
  readonly complaintsEmail: string;
  readonly privacyOfficer: string;
  readonly complianceOfficer: string;
  readonly governingLaw: string;
  readonly relationshipSummaryEffective: string;
};

export const PROVIDER: Provider = {
  productName: 'Bellwether',
  companyName: '[Provider company name]',
  registrationNumber: '[Company registration number]',
  licence: {
    authority: 'Financial Sector Conduct Authority of South Africa',
    number: '[FSP licence number]',
  },
  countryOfLicence: 'South Africa',
  address: '[Registered address]',
  contactEmail: 'support@bellwether.example',
  complaintsEmail: 'complaints@bellwether.example',
  privacyOfficer: '[Information officer]',
  complianceOfficer: '[Compliance officer]',
  governingLaw: 'the Republic of South Africa',
  relationshipSummaryEffective: '2025-06-02',
};

type HomeTile = { readonly value: string; readonly label: string };

/** The provider's own copy (specification, section 2, Home), not computed: always shown with HOME_TILES_NOTE. */
export const HOME_TILES: readonly HomeTile[] = [
  { value: '24.5%', label: 'Average annual return' },
  { value: '1.68', label: 'Average Sharpe ratio' },
  { value: '$245M', label: 'Assets under management' },
];

export const HOME_TILES_NOTE =
  'Illustrative figures supplied by the provider. They are not results of any client account.';

/** The version of the investment agreement that a client signs; a new text is a new version. */
export const AGREEMENT_VERSION = '2025-06';

import { COUNTRY_NAMES, ELIGIBLE_COUNTRIES } from '#rules/eligibility/countries.ts';

const names: readonly string[] = ELIGIBLE_COUNTRIES.map((code) =>
  code === 'US' ? `the ${COUNTRY_NAMES[code]}` : COUNTRY_NAMES[code],
);

/** Where clients reside, as words inside a sentence: 'the United States, Switzerland or India'. */
export const CLIENT_COUNTRIES = new Intl.ListFormat('en', { type: 'disjunction' })
  .format(names)
  .replace(', or ', ' or ');

import { COUNTRY_NAMES, ELIGIBLE_COUNTRIES } from '#rules/eligibility/countries.ts';

const names: readonly string[] = ELIGIBLE_COUNTRIES.map((code) =>
  code === 'US' ? `the ${COUNTRY_NAMES[code]}` : COUNTRY_NAMES[code],
);

/**
 * Where clients reside, as words inside a sentence: 'the United States, Switzerland or India'. Joined by hand: this file loads with the
 * money screens, which would make a list format for nothing.
 */
export const CLIENT_COUNTRIES = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

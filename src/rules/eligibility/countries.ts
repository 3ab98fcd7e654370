// Where clients may live (specification, section 1: the United States, Switzerland and India).

export const ELIGIBLE_COUNTRIES = ['US', 'CH', 'IN'] as const;
type EligibleCountry = (typeof ELIGIBLE_COUNTRIES)[number];

export const COUNTRY_NAMES: Readonly<Record<EligibleCountry, string>> = {
  US: 'United States',
  CH: 'Switzerland',
  IN: 'India',
};

/** Whether an ISO 3166-1 alpha-2 code names a country whose residents we may serve. */
export function isEligibleCountry(code: string): code is EligibleCountry {
  return (ELIGIBLE_COUNTRIES as readonly string[]).includes(code);
}

// Who may sign and invest (specification, section 1): 18 or older, resident in a country that we serve. Asked before
// the agreement. Promises every reason at once, each with the field that it is about.
import type { IsoDate } from '#units/instant.ts';
import { instantOfDate } from '#units/instant.ts';
import { ageOn, MINIMUM_AGE } from './age.ts';
import { COUNTRY_NAMES, ELIGIBLE_COUNTRIES, isEligibleCountry } from './countries.ts';

type EligibilityCode =
  | 'date_of_birth_missing'
  | 'date_of_birth_invalid'
  | 'too_young'
  | 'country_missing'
  | 'country_not_served';

type EligibilityProblem = {
  readonly field: 'date_of_birth' | 'country';
  readonly code: EligibilityCode;
  readonly message: string;
};

export type EligibilityFacts = {
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
};

/** What makes this person ineligible on the real calendar day `today`; an empty list when nothing does. */
export function checkEligibility(facts: EligibilityFacts, today: IsoDate): readonly EligibilityProblem[] {
  const problems = [checkDateOfBirth(facts.dateOfBirth, today), checkCountry(facts.country)];
  return problems.filter((problem) => problem !== null);
}

/** What is wrong with a date of birth, or null. */
export function checkDateOfBirth(dateOfBirth: string | null, today: IsoDate): EligibilityProblem | null {
  const field = 'date_of_birth';
  if (dateOfBirth === null || dateOfBirth === '') {
    return { field, code: 'date_of_birth_missing', message: 'Please enter your date of birth.' };
  }
  if (!isCalendarDay(dateOfBirth) || dateOfBirth > today || dateOfBirth < EARLIEST_BIRTH) {
    return {
      field,
      code: 'date_of_birth_invalid',
      message: `'${dateOfBirth}' is not a valid date of birth. Use YYYY-MM-DD, such as 1985-04-30.`,
    };
  }
  if (ageOn(dateOfBirth as IsoDate, today) < MINIMUM_AGE) {
    return { field, code: 'too_young', message: `You must be ${MINIMUM_AGE} or older to invest.` };
  }
  return null;
}

/** What is wrong with a country of residence, or null. */
export function checkCountry(country: string | null): EligibilityProblem | null {
  const field = 'country';
  if (country === null || country === '') {
    return { field, code: 'country_missing', message: 'Please choose your country of residence.' };
  }
  if (!isEligibleCountry(country)) {
    const names = ELIGIBLE_COUNTRIES.map((code) => COUNTRY_NAMES[code]);
    return {
      field,
      code: 'country_not_served',
      message: `We may only serve residents of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`,
    };
  }
  return null;
}

/** No one alive was born before it: a year typed wrong. */
const EARLIEST_BIRTH = '1900-01-01';

function isCalendarDay(text: string): boolean {
  try {
    instantOfDate(text);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

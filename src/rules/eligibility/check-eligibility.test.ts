import { describe, expect, it } from 'vitest';
import type { IsoDate } from '#units/instant.ts';
import { ageOn } from './age.ts';
import { checkEligibility } from './check-eligibility.ts';

const today = '2026-03-01' as IsoDate;
const codes = (dateOfBirth: string | null, country: string | null) =>
  checkEligibility({ dateOfBirth, country }, today).map((problem) => [problem.field, problem.code]);

describe('eligibility', () => {
  it.each(['US', 'CH', 'IN'])('lets an adult resident of %s in', (country) => {
    expect(codes('1990-06-15', country)).toEqual([]);
  });

  it('counts the eighteenth birthday itself as 18, the day before not', () => {
    expect(codes('2008-03-01', 'CH')).toEqual([]);
    expect(codes('2008-03-02', 'CH')).toEqual([['date_of_birth', 'too_young']]);
  });

  it('gives someone born on 29 February a birthday on 1 March of common years', () => {
    expect(ageOn('2008-02-29' as IsoDate, '2026-02-28' as IsoDate)).toBe(17);
    expect(ageOn('2008-02-29' as IsoDate, '2026-03-01' as IsoDate)).toBe(18);
  });

  it('gives every reason at once', () => {
    expect(codes(null, null)).toEqual([
      ['date_of_birth', 'date_of_birth_missing'],
      ['country', 'country_missing'],
    ]);
    expect(codes('2020-01-01', 'ZA')).toEqual([
      ['date_of_birth', 'too_young'],
      ['country', 'country_not_served'],
    ]);
  });

  it.each(['30.04.1985', '1985-02-30', '2027-01-01', '1885-01-01', 'yesterday'])(
    'refuses %s as a date of birth',
    (text) => {
      expect(codes(text, 'US')).toEqual([['date_of_birth', 'date_of_birth_invalid']]);
    },
  );
});

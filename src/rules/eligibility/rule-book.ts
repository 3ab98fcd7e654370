// The rules of eligibility as dated data: a decision names the version that it was made by, and an old one can be made again.
import type { IsoDate } from '#units/instant.ts';
import { MINIMUM_AGE } from './age.ts';
import { ELIGIBLE_COUNTRIES } from './countries.ts';

export type EligibilityRules = {
  readonly version: string;
  /** The first day on which it holds. */
  readonly from: IsoDate;
  readonly minimumAge: number;
  readonly countries: readonly string[];
  /** Where only a qualified client may pay a performance fee. */
  readonly qualifiedClient: {
    readonly countries: readonly string[];
    /** Dollars: managed by us, or net worth without the home. Either will do. */
    readonly assetsUnderManagement: number;
    readonly netWorth: number;
  };
};

/**
 * Oldest first. Qualified client: rule 205-3 under the United States' Investment Advisers Act, whose amounts the SEC adjusts every
 * five years.
 */
const RULE_BOOK: readonly EligibilityRules[] = [
  rules('2021-08', '2021-08-16', { assetsUnderManagement: 1_100_000, netWorth: 2_200_000 }),
  rules('2026-06', '2026-06-29', { assetsUnderManagement: 1_400_000, netWorth: 2_700_000 }),
];

/** The rules of a real calendar day; the oldest before the first. */
export function eligibilityRulesOn(day: IsoDate): EligibilityRules {
  return RULE_BOOK.findLast(({ from }) => from <= day) ?? RULE_BOOK[0]!;
}

function rules(
  version: string,
  from: string,
  amounts: Pick<EligibilityRules['qualifiedClient'], 'assetsUnderManagement' | 'netWorth'>,
): EligibilityRules {
  return {
    version,
    from: from as IsoDate,
    minimumAge: MINIMUM_AGE,
    countries: ELIGIBLE_COUNTRIES,
    qualifiedClient: { countries: ['US'], ...amounts },
  };
}

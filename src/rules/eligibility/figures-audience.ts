// Who may see hypothetical figures, by country and by what the provider knows of the person. They are shown, labelled and linked to their
// disclosure, unless the provider has switched them off for somebody; two people switch. The newest switch counts, and one for a country
// before one for all.
import type { IsoDate } from '#units/instant.ts';
import { COUNTRY_NAMES, isEligibleCountry } from './countries.ts';
import { eligibilityRulesOn } from './rule-book.ts';

/** visitor: not signed in, so that no country is known. person: signed in. client: has signed an agreement. */
export const VIEWER_STATUSES = ['visitor', 'person', 'client'] as const;
export type ViewerStatus = (typeof VIEWER_STATUSES)[number];

export type Viewer = {
  readonly status: ViewerStatus;
  /** ISO 3166-1 alpha-2; null while it is not known. */
  readonly country: string | null;
};

export type FigureSwitch = {
  /** Grows: the newest has the highest. */
  readonly id: number;
  readonly status: ViewerStatus;
  /** Null: of every country, known or not. */
  readonly country: string | null;
  readonly isShown: boolean;
};

export type FiguresDecision = {
  readonly ruleVersion: string;
  readonly isShown: boolean;
  readonly reason: 'shown_by_default' | 'switched_on' | 'switched_off';
};

/** By the rules of a real calendar day; `switches` newest first. */
export function decideFigures(
  { status, country }: Viewer,
  switches: readonly FigureSwitch[],
  day: IsoDate,
): FiguresDecision {
  const { version } = eligibilityRulesOn(day);
  const own = switches.filter((one) => one.status === status);
  const found =
    (country === null ? undefined : own.find((one) => one.country === country)) ??
    own.find((one) => one.country === null);
  if (found === undefined) return { ruleVersion: version, isShown: true, reason: 'shown_by_default' };
  return {
    ruleVersion: `${version}, switch ${found.id}`,
    isShown: found.isShown,
    reason: found.isShown ? 'switched_on' : 'switched_off',
  };
}

/** What a person sees in their place. */
export function figuresHiddenText({ status, country }: Viewer): string {
  if (status === 'visitor')
    return 'The figures of these strategies are hypothetical, and we do not show them to visitors. Please sign in to see whether we may show them to you.';
  const where = country !== null && isEligibleCountry(country) ? ` in ${countryName(country)}` : '';
  const whom = status === 'client' ? `clients${where}` : `people${where} who have not signed an agreement`;
  return `The figures of these strategies are hypothetical, and we do not show them to ${whom}. Your own deployments and their results stay on your dashboard.`;
}

/** For those whom a switch is about: 'visitors', 'clients in the United States'. */
export function audienceName(status: ViewerStatus, country: string | null): string {
  const who = { visitor: 'visitors', person: 'signed-in people without an agreement', client: 'clients' }[
    status
  ];
  return country !== null && isEligibleCountry(country) ? `${who} in ${countryName(country)}` : who;
}

function countryName(country: keyof typeof COUNTRY_NAMES): string {
  return country === 'US' ? `the ${COUNTRY_NAMES[country]}` : COUNTRY_NAMES[country];
}

/** As the subject of a proposal. */
export const audienceKey = (status: ViewerStatus, country: string | null) =>
  `${status} ${country ?? 'everywhere'}`;

export function parseAudience(key: string): Viewer | null {
  const [status, place, ...more] = key.split(' ');
  const known = VIEWER_STATUSES.find((one) => one === status);
  if (known === undefined || place === undefined || more.length > 0) return null;
  if (place === 'everywhere') return { status: known, country: null };
  // Nobody knows where a visitor lives.
  return known === 'visitor' || !isEligibleCountry(place) ? null : { status: known, country: place };
}

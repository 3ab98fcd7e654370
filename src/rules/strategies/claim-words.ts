// A claimed record in words. Promises that nobody can take it for a record of ours, and that a claim which our record contradicts says so first.
import { CLAIM_DAYS_MIN, CLAIM_MARGIN, type ClaimAgreement } from '#engine/evidence/claim/claim-agreement.ts';

export const CLAIM_LABEL = 'Claimed by the provider, not checked by us';

/** `other_rules`: the strategy has a newer version than the one that the claim is about. */
export type ClaimOutcome = ClaimAgreement['outcome'] | 'other_rules';

export const CLAIM_OUTCOME_WORDS: Readonly<Record<ClaimOutcome, string>> = {
  confirmed: 'Confirmed where we can compare',
  contradicted: 'Contradicted by our record',
  too_early: 'Too early to compare',
  other_rules: 'About earlier rules',
};

/** `version` is the one that the claim is about. */
export function claimSentence(agreement: ClaimAgreement, version: number, newest: number): string {
  if (version !== newest)
    return `This claim is about version ${version}. Version ${newest} has other rules, so our record of it cannot confirm the claim.`;
  const { outcome, days } = agreement;
  if (days === 0)
    return 'The claim and our record since we know the rules have no days in common, so nothing confirms it.';
  const both = `Over the same ${days} days it says ${signed(agreement.claimed)}, and we measured ${signed(agreement.own)}.`;
  switch (outcome) {
    case 'contradicted':
      return `Our own record contradicts this claim. ${both}`;
    case 'confirmed':
      return `${both} On these days the two agree. The days before our record are still only claimed.`;
    case 'too_early':
      return days < CLAIM_DAYS_MIN
        ? `${both} A comparison needs ${CLAIM_DAYS_MIN} days.`
        : `${both} They differ too much from day to day to say yet whether they agree.`;
  }
}

export const CLAIM_METHOD = `We compare daily returns on the days that both have since we know the rules. The mean difference a year has an interval that holds however often one looks (an asymptotic confidence sequence at 95%: Waudby-Smith and others, Annals of Statistics, 2024). Inside ${Math.round(CLAIM_MARGIN * 100)} points either way the claim is confirmed on these days; wholly outside it is contradicted; else it is too early. Anyone could read our record of these days before the claim was imported, so agreement shows that the claim is of these rules, and nothing about other days.`;

function signed(fraction: number): string {
  const percent = fraction * 100;
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(1)}%`;
}

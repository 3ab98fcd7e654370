import type { Eligibility } from '#contract/suitability.ts';
import { getUser } from '#records/identity/users.ts';
import { findIdentityCheck } from '#records/suitability/identity-checks.ts';
import { readFeeStandings } from '#records/suitability/eligibility-records.ts';
import { checkEligibility } from '#rules/eligibility/check-eligibility.ts';
import { identityText } from '#rules/eligibility/identity-text.ts';
import {
  ATTESTATION_BASES,
  attestationText,
  decidePerformanceFee,
  feeText,
} from '#rules/eligibility/qualified-client.ts';
import { eligibilityRulesOn } from '#rules/eligibility/rule-book.ts';
import type { UserId } from '#units/identifiers.ts';
import { isoText, utcDate } from '#units/instant.ts';
import type { Dependencies } from '../http/dependencies.ts';

export async function showEligibility(
  userId: UserId,
  { records, now, config: { installation } }: Pick<Dependencies, 'records' | 'now' | 'config'>,
): Promise<Eligibility> {
  const today = utcDate(now());
  const [user, standings, checked] = await Promise.all([
    getUser(records.database, userId),
    readFeeStandings(records.database, [userId]),
    findIdentityCheck(records.database, userId),
  ]);
  const { basis, attestedAt } = standings.get(userId)!;
  const identity = checked?.status ?? 'not_checked';
  const decision = decidePerformanceFee({ country: user.country, basis, installation }, today);
  const problems = checkEligibility(user, today);
  return {
    rule_version: eligibilityRulesOn(today).version,
    may_invest: problems.length === 0,
    reasons: problems.map(({ message }) => message),
    identity: { status: identity, text: identityText(identity) },
    performance_fee: {
      is_charged: decision.isCharged,
      needs_attestation: decision.reason === 'no_attestation' || decision.reason === 'qualified_client',
      text: feeText(decision.reason),
      attested_basis: basis,
      attested_at: attestedAt === null ? null : isoText(attestedAt),
      attestations: ATTESTATION_BASES.map((one) => ({ basis: one, text: attestationText(one, today) })),
    },
  };
}

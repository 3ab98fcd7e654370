import { findIdentityCheck, recordIdentityCheck } from '#records/suitability/identity-checks.ts';
import type { UserRecord } from '#records/identity/users.ts';
import { identityText } from '#rules/eligibility/identity-text.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { refuse, type Refused } from '../http/refusal.ts';

/**
 * Before an agreement, who is not known yet is checked. Where no service is set up nobody is checked, and the account says so:
 * `not_checked`.
 */
export async function refuseUnchecked(
  { id: userId, firstName, lastName, dateOfBirth, country }: UserRecord,
  { records, identityCheck }: Pick<Dependencies, 'records' | 'identityCheck'>,
): Promise<Refused | null> {
  if (identityCheck === null) return null;
  const known = await findIdentityCheck(records.database, userId);
  if (known === 'passed') return null;
  // A person of ours decides; asking again would not.
  if (known !== 'not_checked') return refuse('not_eligible', identityText(known));
  const name = `${firstName} ${lastName}`.trim();
  const person = { userId, name, dateOfBirth: dateOfBirth ?? '', country: country ?? '' };
  const finding = await identityCheck.check(person);
  if (finding === undefined)
    return refuse(
      'unavailable',
      'Your identity could not be checked right now. Please try again in a few minutes.',
    );
  const { userId: _, ...inputs } = person;
  await recordIdentityCheck(records.database, {
    ...finding,
    userId,
    provider: identityCheck.provider,
    inputs,
  });
  return finding.status === 'passed' ? null : refuse('not_eligible', identityText(finding.status));
}

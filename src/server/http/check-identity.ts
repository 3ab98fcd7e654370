import { findIdentityCheck, recordIdentityCheck } from '#records/suitability/identity-checks.ts';
import type { UserRecord } from '#records/identity/users.ts';
import { identityText } from '#rules/eligibility/identity-text.ts';
import type { Dependencies } from './dependencies.ts';
import { refuse, type Refused } from './refusal.ts';

type Service = Pick<Dependencies, 'records' | 'identityCheck'>;

/**
 * Before an agreement and before money is deployed, who is not known yet is checked, and who has another name, birth date or country
 * since. Where no service is set up nobody is checked, and the account says so: `not_checked`.
 */
export async function refuseUnchecked(user: UserRecord, service: Service): Promise<Refused | null> {
  const { records, identityCheck } = service;
  if (identityCheck === null) return null;
  const known = await findIdentityCheck(records.database, user.id);
  // Of the same person a person of ours decides; asking again would not.
  if (known !== null && isOf(known.inputs, inputsOf(user)))
    return known.status === 'passed' ? null : refuse('not_eligible', identityText(known.status));
  return check(user, { records, identityCheck });
}

/** After a change of what was checked. A service that does not answer is asked before the next agreement or deployment. */
export async function recheckIdentity(user: UserRecord, { records, identityCheck }: Service): Promise<void> {
  if (identityCheck === null) return;
  const known = await findIdentityCheck(records.database, user.id);
  if (known === null || isOf(known.inputs, inputsOf(user))) return;
  await check(user, { records, identityCheck });
}

async function check(
  user: UserRecord,
  { records, identityCheck }: Service & { readonly identityCheck: NonNullable<Service['identityCheck']> },
): Promise<Refused | null> {
  const inputs = inputsOf(user);
  const finding = await identityCheck.check({ userId: user.id, ...inputs });
  if (finding === undefined)
    return refuse(
      'unavailable',
      'Your identity could not be checked right now. Please try again in a few minutes.',
    );
  await recordIdentityCheck(records.database, {
    ...finding,
    userId: user.id,
    provider: identityCheck.provider,
    inputs,
  });
  return finding.status === 'passed' ? null : refuse('not_eligible', identityText(finding.status));
}

type Inputs = { readonly name: string; readonly dateOfBirth: string; readonly country: string };

function inputsOf({ firstName, lastName, dateOfBirth, country }: UserRecord): Inputs {
  return {
    name: `${firstName} ${lastName}`.trim(),
    dateOfBirth: dateOfBirth ?? '',
    country: country ?? '',
  };
}

const isOf = (checked: Readonly<Record<string, string>>, { name, dateOfBirth, country }: Inputs) =>
  checked.name === name && checked.dateOfBirth === dateOfBirth && checked.country === country;

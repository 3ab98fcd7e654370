import { dictionary } from '@zxcvbn-ts/language-common';
import { type NewPassword, passwordProblem } from '#rules/identity/password-problem.ts';
import type { UserRecord } from '#records/identity/users.ts';
import { refuse, type Refused } from '../../http/refusal.ts';

/** Null: the password may be set. `field` is where the request carries it. */
export function refuseWeakPassword(chosen: NewPassword, field: string): Refused | null {
  const problem = weakness(chosen);
  return problem === null ? null : refuse('weak_password', problem, { field });
}

/** The same for somebody who has an account. */
export function newPasswordOf(owner: UserRecord, password: string): NewPassword {
  const { email, firstName, lastName, role } = owner;
  return { password, email, name: `${firstName} ${lastName}`, isStaff: role !== 'investor' };
}

/** The sentence that says what is weak about it. */
export function weakness(chosen: NewPassword): string | null {
  return passwordProblem(chosen, (word) => COMMON_PASSWORDS.has(word));
}

/** About 49,000 leaked passwords by how often they were found; never sent to a browser. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  (dictionary['passwords-common'] as readonly string[]).map((word) => word.toLowerCase()),
);

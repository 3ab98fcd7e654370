import type { staffEndpoints } from '#contract/staff.ts';
import { resetTokenHash } from '#records/identity/reset-token.ts';
import { lockInvitation, markAccepted } from '#records/identity/staff-accounts.ts';
import { createStaff } from '#records/identity/users.ts';
import { actAs } from '#records/operations/audit-log.ts';
import type { Call } from '../http/call.ts';
import { isRefused, refuse } from '../http/refusal.ts';
import { refuseWeakPassword } from '../identity/password/check-password.ts';
import { hashPassword } from '../identity/password/password-hash.ts';
import { noteSecurityEvent } from '../identity/security-events.ts';

/** Whoever reads the mails of the address makes the account, and chooses its password. */
export const acceptInvitation: Call<typeof staffEndpoints.acceptInvitation> = async (
  { body, request },
  dependencies,
) => {
  const { records, now } = dependencies;
  const {
    token,
    password,
    confirm_password: repeated,
    first_name: firstName,
    last_name: lastName = '',
  } = body;
  if (password !== repeated)
    return refuse('passwords_differ', 'The passwords do not match', { field: 'confirm_password' });
  const at = now();
  const passwordHash = await hashPassword(password);
  const outcome = await records.database.transaction().execute(async (trx) => {
    const invitation = await lockInvitation(trx, { hash: resetTokenHash(token), at });
    if (invitation === undefined) return refuse('invalid_token', INVALID);
    const { id, email, role } = invitation;
    const name = `${firstName} ${lastName}`;
    const weak = refuseWeakPassword({ password, email, name, isStaff: true }, 'password');
    if (weak !== null) return weak;
    await actAs(trx, `staff:${email}`);
    const userId = await createStaff(trx, { email, passwordHash, firstName, lastName, role });
    if (userId === null) return refuse('email_taken', TAKEN);
    await markAccepted(trx, id, at);
    return { userId, email };
  });
  if (isRefused(outcome)) return outcome;
  await noteSecurityEvent({ kind: 'became_staff', userId: outcome.userId, request }, dependencies);
  return { email: outcome.email };
};

const INVALID =
  'This link has expired, was already used or was withdrawn. Ask an admin for a new invitation.';
const TAKEN = 'Somebody has registered this address since. Ask an admin to invite another address.';

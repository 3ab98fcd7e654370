import type { identityEndpoints } from '#contract/identity.ts';
import { endPasswordResets } from '#records/password-resets.ts';
import { endOtherSessions } from '#records/sessions.ts';
import { changePasswordHash, getPasswordHash } from '#records/users.ts';
import type { Call } from '../call.ts';
import { refuse } from '../refusal.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

export const changePassword: Call<typeof identityEndpoints.changePassword> = async (
  { body, caller },
  { records, now },
) => {
  const stored = await getPasswordHash(records.database, caller.userId);
  if (!(await verifyPassword(body.old_password, stored))) {
    return refuse('wrong_password', 'The present password is not right', { field: 'old_password' });
  }
  const passwordHash = await hashPassword(body.new_password);
  await records.database.transaction().execute(async (trx) => {
    await changePasswordHash(trx, { id: caller.userId, passwordHash });
    await endOtherSessions(trx, { ...caller, at: now() });
    await endPasswordResets(trx, caller.userId, now());
  });
};

import type { identityEndpoints } from '#contract/identity.ts';
import { endPasswordResets } from '#records/identity/password-resets.ts';
import { endOtherSessions } from '#records/identity/sessions.ts';
import { changePasswordHash, getPasswordHash, getUser } from '#records/identity/users.ts';
import type { Call } from '../../http/call.ts';
import { isRefused, refuse } from '../../http/refusal.ts';
import { noteSecurityEvent } from '../security-events.ts';
import { newPasswordOf, refuseWeakPassword } from './check-password.ts';
import { guessing, passwordOf } from './guessing.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** A stolen access token must not be usable to guess the password. */
export const changePassword: Call<typeof identityEndpoints.changePassword> = async (
  { body, caller, request },
  dependencies,
) => {
  const { records, now } = dependencies;
  const owner = await getUser(records.database, caller.userId);
  const guess = { secret: passwordOf(owner.email), guesser: `session:${caller.sessionId}` };
  const checked = await guessing(guess, dependencies, async () => {
    const stored = await getPasswordHash(records.database, caller.userId);
    if (await verifyPassword(body.old_password, stored)) return null;
    return refuse('wrong_password', 'The current password is incorrect', { field: 'old_password' });
  });
  if (isRefused(checked)) return checked;
  const weak = refuseWeakPassword(newPasswordOf(owner, body.new_password), 'new_password');
  if (weak) return weak;
  const passwordHash = await hashPassword(body.new_password);
  await records.database.transaction().execute(async (trx) => {
    await changePasswordHash(trx, { id: caller.userId, passwordHash });
    await endOtherSessions(trx, { ...caller, at: now() });
    await endPasswordResets(trx, caller.userId, now());
  });
  const { userId } = caller;
  return noteSecurityEvent({ kind: 'password_changed', userId, request }, dependencies);
};

import type { identityEndpoints } from '#contract/identity.ts';
import { endPasswordResets } from '#records/identity/password-resets.ts';
import { endOtherSessions } from '#records/identity/sessions.ts';
import { changePasswordHash, getPasswordHash, getUser } from '#records/identity/users.ts';
import type { Call } from '../../http/call.ts';
import { refuse } from '../../http/refusal.ts';
import { newPasswordOf, refuseWeakPassword } from './check-password.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { WrongPasswords } from './wrong-passwords.ts';

/** A stolen access token must not be usable to guess the password. */
export function makeChangePassword(
  wrongPasswordsPerMinute: number,
): Call<typeof identityEndpoints.changePassword> {
  const wrong = new WrongPasswords(wrongPasswordsPerMinute);
  return async ({ body, caller, request }, { records, now }) => {
    const attempt = { account: caller.userId, address: request.ip };
    const wait = wrong.refuse(attempt, now());
    if (wait) return wait;
    const stored = await getPasswordHash(records.database, caller.userId);
    if (!(await verifyPassword(body.old_password, stored))) {
      wrong.noteWrong(attempt, now());
      return refuse('wrong_password', 'The current password is incorrect', { field: 'old_password' });
    }
    const owner = await getUser(records.database, caller.userId);
    const weak = refuseWeakPassword(newPasswordOf(owner, body.new_password), 'new_password');
    if (weak) return weak;
    const passwordHash = await hashPassword(body.new_password);
    await records.database.transaction().execute(async (trx) => {
      await changePasswordHash(trx, { id: caller.userId, passwordHash });
      await endOtherSessions(trx, { ...caller, at: now() });
      await endPasswordResets(trx, caller.userId, now());
    });
  };
}

import type { identityEndpoints } from '#contract/identity.ts';
import { revokeAllKeys } from '#records/api-keys/api-keys.ts';
import { markVerified } from '#records/identity/email-verification.ts';
import { clearGuesses } from '#records/identity/guess-limits.ts';
import { endPasswordResets, lockPasswordReset } from '#records/identity/password-resets.ts';
import { endEverySession } from '#records/identity/sessions.ts';
import { changePasswordHash, getUser } from '#records/identity/users.ts';
import type { Call } from '../../http/call.ts';
import { isRefused, refuse } from '../../http/refusal.ts';
import { newPasswordOf, refuseWeakPassword } from './check-password.ts';
import { passwordOf } from './guessing.ts';
import { rememberDevice } from '../session/known-device.ts';
import { noteSecurityEvent } from '../security-events.ts';
import { hashPassword } from './password-hash.ts';
import { resetTokenHash } from '#records/identity/reset-token.ts';

export const confirmPasswordReset: Call<typeof identityEndpoints.confirmPasswordReset> = async (
  { body, request, reply },
  dependencies,
) => {
  const { records, now } = dependencies;
  if (body.new_password !== body.confirm_new_password) {
    return refuse('passwords_differ', 'The passwords do not match', {
      field: 'confirm_new_password',
    });
  }
  const at = now();
  const hash = resetTokenHash(body.token);
  const passwordHash = await hashPassword(body.new_password);
  const outcome = await records.database.transaction().execute(async (trx) => {
    const userId = await lockPasswordReset(trx, { hash, at });
    if (userId === null) return refuse('invalid_token', INVALID);
    const owner = await getUser(trx, userId);
    const weak = refuseWeakPassword(newPasswordOf(owner, body.new_password), 'new_password');
    if (weak) return weak;
    await changePasswordHash(trx, { id: userId, passwordHash });
    // The link was mailed to the address.
    await markVerified(trx, userId, at);
    await endPasswordResets(trx, userId, at);
    await endEverySession(trx, userId, at);
    await revokeAllKeys(trx, { userId, at });
    await clearGuesses(trx, passwordOf(owner.email));
    rememberDevice({ request, reply }, owner.email, dependencies);
    return userId;
  });
  if (isRefused(outcome)) return outcome;
  return noteSecurityEvent({ kind: 'password_reset', userId: outcome, request }, dependencies);
};

const INVALID = 'This link has expired or was already used. Please request a new one.';

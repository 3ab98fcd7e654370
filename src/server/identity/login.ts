import type { identityEndpoints } from '#contract/identity.ts';
import { findCredentials } from '#records/identity/users.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';
import { NOBODYS_HASH, verifyPassword } from './password/password-hash.ts';
import { showUser } from './show-user.ts';
import { startSession } from './session/start-session.ts';
import { WrongPasswords } from './password/wrong-passwords.ts';

export function makeLogin(wrongPasswordsPerMinute: number): Call<typeof identityEndpoints.login> {
  const wrong = new WrongPasswords(wrongPasswordsPerMinute);
  return async ({ body, request }, dependencies) => {
    const { records, now } = dependencies;
    const email = body.email.toLowerCase();
    const attempt = { account: email, address: request.ip };
    const wait = wrong.refuse(attempt, now());
    if (wait) return wait;
    const credentials = await findCredentials(records.database, email);
    const isRight = await verifyPassword(body.password, credentials?.passwordHash ?? NOBODYS_HASH);
    if (!credentials || !isRight) {
      wrong.noteWrong(attempt, now());
      return refuse('authentication_failed', 'Authentication failed. Please try again.');
    }
    wrong.noteRight(attempt);
    const tokens = await startSession(
      { userId: credentials.id, remember: body.remember ?? false },
      dependencies,
    );
    return { ...tokens, user: await showUser(credentials.id, dependencies) };
  };
}

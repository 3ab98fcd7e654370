import type { identityEndpoints } from '#contract/identity.ts';
import { findCredentials } from '#records/identity/users.ts';
import type { Call } from '../http/call.ts';
import { isRefused, refuse } from '../http/refusal.ts';
import { guessing, passwordOf } from './password/guessing.ts';
import { NOBODYS_HASH, verifyPassword } from './password/password-hash.ts';
import { findKnownDevice, rememberDevice } from './session/known-device.ts';
import { startSession } from './session/start-session.ts';
import { showUser } from './show-user.ts';

export const login: Call<typeof identityEndpoints.login> = async ({ body, request, reply }, dependencies) => {
  const { database } = dependencies.records;
  const email = body.email.toLowerCase();
  const guess = { secret: passwordOf(email), guesser: findKnownDevice(request, email, dependencies) };
  const found = await guessing(guess, dependencies, async () => {
    const credentials = await findCredentials(database, email);
    const isRight = await verifyPassword(body.password, credentials?.passwordHash ?? NOBODYS_HASH);
    if (!credentials || !isRight)
      return refuse('authentication_failed', 'Authentication failed. Please try again.');
    return credentials;
  });
  if (isRefused(found)) return found;
  const tokens = await startSession(
    { userId: found.id, remember: body.remember ?? false, request },
    dependencies,
  );
  rememberDevice({ request, reply }, email, dependencies);
  return { ...tokens, user: await showUser(found.id, dependencies) };
};

import type { identityEndpoints } from '#contract/identity.ts';
import { findAuthenticator, hasSecondFactor } from '#records/identity/second-factors.ts';
import { findCredentials } from '#records/identity/users.ts';
import type { SecurityEventKind } from '#rules/identity/security-event.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { isRefused, refuse, type Refused } from '../http/refusal.ts';
import { guessing, passwordOf } from './password/guessing.ts';
import { NOBODYS_HASH, verifyPassword } from './password/password-hash.ts';
import { challengeOf } from './second-factor/check-passkey.ts';
import { checkProof, type Proof } from './second-factor/check-proof.ts';
import { findKnownDevice, rememberDevice } from './session/known-device.ts';
import { startSession } from './session/start-session.ts';
import { noteSecurityEvent } from './security-events.ts';
import { showUser } from './show-user.ts';

export const login: Call<typeof identityEndpoints.login> = async ({ body, request, reply }, dependencies) => {
  const { database } = dependencies.records;
  const email = body.email.toLowerCase();
  const guess = { secret: passwordOf(email), guesser: findKnownDevice(request, email, dependencies) };
  const note = (kind: SecurityEventKind, userId: UserId | null) =>
    noteSecurityEvent({ kind, userId, request }, dependencies);
  const found = await guessing(guess, dependencies, async () => {
    const credentials = await findCredentials(database, email);
    const isRight = await verifyPassword(body.password, credentials?.passwordHash ?? NOBODYS_HASH);
    if (credentials && isRight)
      return credentials.isDisabled ? refuse('account_disabled', DISABLED) : credentials;
    await note('sign_in_failed', credentials?.id ?? null);
    return refuse('authentication_failed', 'Authentication failed. Please try again.');
  });
  if (isRefused(found)) {
    if (found.code === 'too_many_requests')
      await note('guesses_limited', (await findCredentials(database, email))?.id ?? null);
    return found;
  }
  const refused = await refuseWithoutProof(
    { userId: found.id, guesser: guess.guesser, note: (kind) => note(kind, found.id) },
    body,
    dependencies,
  );
  if (refused !== null) {
    if (refused.code === 'wrong_code') await note('code_failed', found.id);
    if (refused.code === 'wrong_passkey') await note('passkey_failed', found.id);
    if (refused.code === 'too_many_requests') await note('guesses_limited', found.id);
    return refused;
  }
  const hasFactor = await hasSecondFactor(database, found.id);
  const factor = !hasFactor ? 'none' : body.passkey === undefined ? 'code' : 'passkey';
  const tokens = await startSession(
    { userId: found.id, remember: body.remember ?? false, request },
    dependencies,
  );
  await noteSecurityEvent({ kind: 'signed_in', userId: found.id, request, factor }, dependencies);
  rememberDevice({ request, reply }, email, dependencies);
  return { ...tokens, user: await showUser(found.id, dependencies) };
};

const DISABLED = 'This account is disabled. Please write to us, or ask an admin.';

type Person = {
  readonly userId: UserId;
  readonly guesser: string | null;
  readonly note: (kind: SecurityEventKind) => Promise<void>;
};

/** Whoever has a second factor needs a code or a passkey as well; the first refusal carries what a passkey answers. */
async function refuseWithoutProof(
  { userId, guesser, note }: Person,
  { code, passkey }: Proof,
  dependencies: Dependencies,
): Promise<Refused | null> {
  const { database } = dependencies.records;
  if (!(await hasSecondFactor(database, userId))) return null;
  const wanted = { userId, purpose: 'sign_in', sessionId: null } as const;
  if (passkey !== undefined || (code !== undefined && code.trim() !== ''))
    return checkProof({ wanted, guesser, note }, { code, passkey }, dependencies);
  const [options, app] = await Promise.all([
    challengeOf(wanted, dependencies),
    findAuthenticator(database, userId),
  ]);
  const said = `${options === null ? 'Enter' : 'Use your passkey, or enter'} ${
    (app?.enabledAt ?? null) === null ? 'a backup code.' : 'the code of your authenticator app.'
  }`;
  return refuse('code_required', said, {
    field: 'code',
    ...(options !== null && { details: { passkey: options } }),
  });
}

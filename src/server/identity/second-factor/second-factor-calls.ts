import type { identityEndpoints } from '#contract/identity.ts';
import { clearGuesses } from '#records/identity/guess-limits.ts';
import {
  countBackupCodes,
  enableAuthenticator,
  findAuthenticator,
  hasSecondFactor,
  prepareAuthenticator,
  removeAuthenticator,
  removeBackupCodes,
  replaceBackupCodes,
} from '#records/identity/second-factors.ts';
import { listPasskeys, lockSecondFactors } from '#records/identity/passkeys.ts';
import { endOtherSessions, noteConfirmation } from '#records/identity/sessions.ts';
import { getPasswordHash, getUser } from '#records/identity/users.ts';
import type { SecurityEventKind } from '#rules/identity/security-event.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import type { FastifyRequest } from 'fastify';
import type { Call, Caller } from '../../http/call.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { isRefused, refuse, type Refused } from '../../http/refusal.ts';
import { guessing, passwordOf } from '../password/guessing.ts';
import { verifyPassword } from '../password/password-hash.ts';
import { noteSecurityEvent } from '../security-events.ts';
import { hashBackupCodes, newBackupCodes } from './backup-codes.ts';
import { sealAuthenticatorSecret, spendAppCode } from './check-code.ts';
import { checkProof, type Proof } from './check-proof.ts';
import { takesPasskeys } from './relying-party.ts';
import { base32, newSecret, otpauthUrl } from './totp.ts';

export const getSecondFactor: Call<typeof identityEndpoints.getSecondFactor> = async (
  { caller },
  dependencies,
) => {
  const { records, config } = dependencies;
  const [found, passkeys, left, owner] = await Promise.all([
    findAuthenticator(records.database, caller.userId),
    listPasskeys(records.database, caller.userId),
    countBackupCodes(records.database, caller.userId),
    getUser(records.database, caller.userId),
  ]);
  return {
    is_on: passkeys.length > 0 || (found?.enabledAt ?? null) !== null,
    app_since: found?.enabledAt?.toISOString() ?? null,
    passkeys: passkeys.length,
    takes_passkeys: takesPasskeys(dependencies),
    backup_codes_left: left,
    is_required: config.staffNeedSecondFactor && owner.role !== 'investor',
  };
};

export const setUpSecondFactor: Call<typeof identityEndpoints.setUpSecondFactor> = async (
  { caller },
  dependencies,
) => {
  const { database } = dependencies.records;
  const secret = newSecret();
  const sealedSecret = sealAuthenticatorSecret(caller.userId, secret, dependencies);
  if (!(await prepareAuthenticator(database, { userId: caller.userId, sealedSecret })))
    return refuse('already_exists', 'An authenticator app is on. Turn it off before you set up another.');
  const { email } = await getUser(database, caller.userId);
  return {
    otpauth_url: otpauthUrl(secret, { issuer: PRODUCT_NAME, account: email }),
    secret: base32(secret),
  };
};

/** A first code shows that the app has the secret. Sessions that never saw a code end. */
export const enableSecondFactor: Call<typeof identityEndpoints.enableSecondFactor> = async (
  { caller, body, request },
  dependencies,
) => {
  const { userId, sessionId } = caller;
  const { records, now } = dependencies;
  const codes = newBackupCodes();
  const hashes = await hashBackupCodes(codes, userId, dependencies);
  const guess = { secret: `code:${userId}`, guesser: `session:${sessionId}` };
  const outcome = await guessing(guess, dependencies, () =>
    records.database.transaction().execute(async (trx) => {
      const isRight = await spendAppCode(
        trx,
        { userId, code: body.code.replaceAll(/\s/g, '') },
        dependencies,
      );
      if (!isRight || !(await enableAuthenticator(trx, userId, now())))
        return refuse(
          'wrong_code',
          'This code is not right. Check that the clock of your phone is, and enter the newest code.',
          { field: 'code' },
        );
      await replaceBackupCodes(trx, userId, hashes);
      await endOtherSessions(trx, { ...caller, at: now() });
      await noteConfirmation(trx, sessionId, now());
      return { backup_codes: [...codes] };
    }),
  );
  if (!isRefused(outcome)) await noteSecurityEvent({ kind: 'two_factor_on', userId, request }, dependencies);
  return outcome;
};

export const disableSecondFactor: Call<typeof identityEndpoints.disableSecondFactor> = async (
  { caller, body, request },
  dependencies,
) => {
  const wrong = await checkInSession({ caller, request }, body, dependencies);
  if (wrong) return wrong;
  await dependencies.records.database.transaction().execute(async (trx) => {
    await lockSecondFactors(trx, caller.userId);
    await removeAuthenticator(trx, caller.userId);
    if (await hasSecondFactor(trx, caller.userId)) return;
    await removeBackupCodes(trx, caller.userId);
    await clearGuesses(trx, `code:${caller.userId}`);
  });
  return noteSecurityEvent({ kind: 'two_factor_off', userId: caller.userId, request }, dependencies);
};

export const renewBackupCodes: Call<typeof identityEndpoints.renewBackupCodes> = async (
  { caller, body, request },
  dependencies,
) => {
  const { userId } = caller;
  const wrong = await checkInSession({ caller, request }, body, dependencies);
  if (wrong) return wrong;
  const codes = newBackupCodes();
  const hashes = await hashBackupCodes(codes, userId, dependencies);
  await dependencies.records.database.transaction().execute((trx) => replaceBackupCodes(trx, userId, hashes));
  await noteSecurityEvent({ kind: 'backup_codes_replaced', userId, request }, dependencies);
  return { backup_codes: [...codes] };
};

/** With a passkey or a code where there is a second factor, else with the password. */
export const confirmIdentity: Call<typeof identityEndpoints.confirmIdentity> = async (
  { caller, body, request },
  dependencies,
) => {
  const { database } = dependencies.records;
  const { userId, sessionId } = caller;
  if (await hasSecondFactor(database, userId)) {
    const wrong = await checkInSession({ caller, request }, body, dependencies);
    if (wrong) return wrong;
  } else {
    const { email } = await getUser(database, userId);
    const guess = { secret: passwordOf(email), guesser: `session:${sessionId}` };
    const checked = await guessing(guess, dependencies, async () =>
      (await verifyPassword(body.password ?? '', await getPasswordHash(database, userId)))
        ? null
        : refuse('wrong_password', 'The password is incorrect', { field: 'password' }),
    );
    if (isRefused(checked)) return checked;
  }
  return noteConfirmation(database, sessionId, dependencies.now());
};

type InSession = { readonly caller: Caller; readonly request: FastifyRequest };

function checkInSession(
  { caller, request }: InSession,
  proof: Proof,
  dependencies: Dependencies,
): Promise<Refused | null> {
  const { userId, sessionId } = caller;
  const note = (kind: SecurityEventKind) => noteSecurityEvent({ kind, userId, request }, dependencies);
  const wanted = { userId, sessionId, purpose: 'confirm' } as const;
  return checkProof({ wanted, guesser: `session:${sessionId}`, note }, proof, dependencies);
}

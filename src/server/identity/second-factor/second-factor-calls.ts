import type { identityEndpoints } from '#contract/identity.ts';
import { clearGuesses } from '#records/identity/guess-limits.ts';
import {
  countBackupCodes,
  enableAuthenticator,
  findAuthenticator,
  prepareAuthenticator,
  removeSecondFactor,
  replaceBackupCodes,
} from '#records/identity/second-factors.ts';
import { endOtherSessions, noteConfirmation } from '#records/identity/sessions.ts';
import { getPasswordHash, getUser } from '#records/identity/users.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import type { Call } from '../../http/call.ts';
import { isRefused, refuse } from '../../http/refusal.ts';
import { guessing, passwordOf } from '../password/guessing.ts';
import { verifyPassword } from '../password/password-hash.ts';
import { noteSecurityEvent } from '../security-events.ts';
import { backupCodeHash, newBackupCodes } from './backup-codes.ts';
import { checkCode, sealAuthenticatorSecret, spendAppCode } from './check-code.ts';
import { base32, newSecret, otpauthUrl } from './totp.ts';

export const getSecondFactor: Call<typeof identityEndpoints.getSecondFactor> = async (
  { caller },
  { records, config },
) => {
  const [found, left, owner] = await Promise.all([
    findAuthenticator(records.database, caller.userId),
    countBackupCodes(records.database, caller.userId),
    getUser(records.database, caller.userId),
  ]);
  return {
    is_on: found?.enabledAt !== null && found !== undefined,
    since: found?.enabledAt?.toISOString() ?? null,
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
    return refuse('already_exists', 'Two-factor sign-in is on. Turn it off before you set it up anew.');
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
      await replaceBackupCodes(
        trx,
        userId,
        codes.map((code) => backupCodeHash(code, userId, dependencies)),
      );
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
  const wrong = await checkCode(ofSession(caller), body.code, dependencies);
  if (wrong) return wrong;
  await dependencies.records.database.transaction().execute(async (trx) => {
    await removeSecondFactor(trx, caller.userId);
    await clearGuesses(trx, `code:${caller.userId}`);
  });
  return noteSecurityEvent({ kind: 'two_factor_off', userId: caller.userId, request }, dependencies);
};

export const renewBackupCodes: Call<typeof identityEndpoints.renewBackupCodes> = async (
  { caller, body, request },
  dependencies,
) => {
  const { userId } = caller;
  const wrong = await checkCode(ofSession(caller), body.code, dependencies);
  if (wrong) return wrong;
  const codes = newBackupCodes();
  const hashes = codes.map((code) => backupCodeHash(code, userId, dependencies));
  await dependencies.records.database.transaction().execute((trx) => replaceBackupCodes(trx, userId, hashes));
  await noteSecurityEvent({ kind: 'backup_codes_replaced', userId, request }, dependencies);
  return { backup_codes: [...codes] };
};

/** With a code where there is a second factor, else with the password. */
export const confirmIdentity: Call<typeof identityEndpoints.confirmIdentity> = async (
  { caller, body },
  dependencies,
) => {
  const { database } = dependencies.records;
  const { userId, sessionId } = caller;
  const factor = await findAuthenticator(database, userId);
  if (factor !== undefined && factor.enabledAt !== null) {
    const wrong = await checkCode(ofSession(caller), body.code ?? '', dependencies);
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

const ofSession = ({
  userId,
  sessionId,
}: Parameters<Call<typeof identityEndpoints.disableSecondFactor>>[0]['caller']) => ({
  userId,
  guesser: `session:${sessionId}`,
});

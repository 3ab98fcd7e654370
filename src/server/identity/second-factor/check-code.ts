import { openSecret, sealSecret } from '#records/keys/sealed-secret.ts';
import { findAuthenticator, spendBackupCode, spendStep } from '#records/identity/second-factors.ts';
import type { Database } from '#records/postgres/database.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { refuse, type Refused } from '../../http/refusal.ts';
import { guessing } from '../password/guessing.ts';
import { backupCodeHash } from './backup-codes.ts';
import { matchStep } from './totp.ts';

/** Who guesses: a known device or session; null for strangers. */
type Guesser = { readonly userId: UserId; readonly guesser: string | null };

/** Null when the code is of the person's authenticator or an unused backup code; it is then spent. */
export async function checkCode(
  { userId, guesser }: Guesser,
  code: string,
  dependencies: Dependencies,
): Promise<Refused | null> {
  return guessing({ secret: `code:${userId}`, guesser }, dependencies, async () =>
    (await spend(userId, code, dependencies)) ? null : WRONG_CODE,
  );
}

const WRONG_CODE = refuse(
  'wrong_code',
  'This code is not right. Codes change every 30 seconds and work once; wait for the next one.',
  { field: 'code' },
);

async function spend(userId: UserId, code: string, dependencies: Dependencies): Promise<boolean> {
  const { records, keys, now } = dependencies;
  const digits = code.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(digits)) return spendAppCode(records.database, { userId, code: digits }, dependencies);
  for (const key of keys.all('backup_code')) {
    const hash = await backupCodeHash(code, userId, key);
    if (await spendBackupCode(records.database, { userId, hash, at: now() })) return true;
  }
  return false;
}

/** Also of an authenticator that is not enabled yet. */
export async function spendAppCode(
  database: Database,
  { userId, code }: { readonly userId: UserId; readonly code: string },
  dependencies: Dependencies,
): Promise<boolean> {
  const found = await findAuthenticator(database, userId);
  if (found === undefined) return false;
  const secret = Buffer.from(await openSecret(found.sealedSecret, termsOf(userId, dependencies)), 'base64');
  const step = matchStep(secret, code, dependencies.now());
  return step !== null && spendStep(database, { userId, step });
}

export function sealAuthenticatorSecret(userId: UserId, secret: Buffer, dependencies: Dependencies): Buffer {
  return sealSecret(secret.toString('base64'), termsOf(userId, dependencies));
}

function termsOf(userId: UserId, { keys }: Dependencies) {
  return { keys, purpose: `authenticators:${userId}:sealed_secret` };
}

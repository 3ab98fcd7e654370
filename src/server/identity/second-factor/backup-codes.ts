import { createHmac, randomBytes } from 'node:crypto';
import type { UserId } from '#units/identifiers.ts';
import type { Key, Keyring } from '#records/keys/keyring.ts';
import { stretched } from '../password/password-hash.ts';
import { base32 } from './totp.ts';

const CODES = 10;
const CODE_BYTES = 5;
const SALT_BYTES = 16;

/** Each works once: ABCD-EFGH. */
export function newBackupCodes(): readonly string[] {
  return Array.from({ length: CODES }, () => base32(randomBytes(CODE_BYTES)).replace(/^(.{4})/, '$1-'));
}

/** 40 bits alone could be guessed from a copy of the database: stretched, with a salt that the copy does not hold. */
export function backupCodeHash(code: string, userId: UserId, { bytes }: Key): Promise<Buffer> {
  const written = code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
  const salt = createHmac('sha256', bytes).update(`backup codes of ${userId}`).digest();
  return stretched(written, salt.subarray(0, SALT_BYTES));
}

/** With the newest key. */
export async function hashBackupCodes(
  codes: readonly string[],
  userId: UserId,
  { keys }: { readonly keys: Keyring },
): Promise<{ readonly keyId: string; readonly hashes: readonly Buffer[] }> {
  const key = keys.newest('backup_code');
  return { keyId: key.id, hashes: await Promise.all(codes.map((code) => backupCodeHash(code, userId, key))) };
}

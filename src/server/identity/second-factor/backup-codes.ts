import { createHmac, randomBytes } from 'node:crypto';
import type { UserId } from '#units/identifiers.ts';
import type { Key, Keyring } from '#records/keys/keyring.ts';
import { base32 } from './totp.ts';

const CODES = 10;
const CODE_BYTES = 5;

/** Each works once: ABCD-EFGH. */
export function newBackupCodes(): readonly string[] {
  return Array.from({ length: CODES }, () => base32(randomBytes(CODE_BYTES)).replace(/^(.{4})/, '$1-'));
}

/** 40 bits alone could be guessed from a copy of the database: the hash is keyed. */
export function backupCodeHash(code: string, userId: UserId, { bytes }: Key): Buffer {
  const written = code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
  return createHmac('sha256', bytes).update(`backup code ${userId} ${written}`).digest();
}

/** With the newest key. */
export function hashBackupCodes(
  codes: readonly string[],
  userId: UserId,
  { keys }: { readonly keys: Keyring },
): { readonly keyId: string; readonly hashes: readonly Buffer[] } {
  const key = keys.newest('backup_code');
  return { keyId: key.id, hashes: codes.map((code) => backupCodeHash(code, userId, key)) };
}

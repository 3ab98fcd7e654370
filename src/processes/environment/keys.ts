// Secret keys that live in files: made once with random bytes, readable by their owner alone.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const KEY_BYTES = 32;

/** Thirty-two bytes, kept as base64 in `file`. Throws when the file holds anything else. */
export function openKey(file: string): Uint8Array {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  const fault = keyFault(key);
  if (fault !== null) throw new Error(`${file} ${fault}`);
  return key;
}

/** What is wrong with the bytes of a key; null when nothing is. */
export function keyFault(key: Uint8Array): string | null {
  if (key.length !== KEY_BYTES) return `does not hold a key of ${KEY_BYTES} bytes in base64`;
  if (new Set(key).size < DISTINCT_MIN) return 'does not hold a random key';
  return null;
}

/** Of 32 random bytes fewer than this many are distinct once in 10^30. */
const DISTINCT_MIN = 12;

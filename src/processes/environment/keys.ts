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
  if (key.length !== KEY_BYTES)
    throw new Error(`${file} does not hold a key of ${KEY_BYTES} bytes in base64`);
  return key;
}

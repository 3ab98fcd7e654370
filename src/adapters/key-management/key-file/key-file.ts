// Root keys in a file: one a line, as base64, the newest first. A file with two is in the middle of a rotation.
import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KeyAnswer, KeyFailure, KeyManagement } from '#ports/key-management.ts';
import { decrypt, encrypt } from './aead.ts';

const KEY_BYTES = 32;
const SETTING = 'KEK_FILE';

export function keyFile(file: string): KeyManagement {
  return {
    async wrap(key, name) {
      const roots = readRoots(file) ?? makeRoots(file);
      const fault = faultOf(roots, file);
      if (fault !== null) return fault;
      const [newest] = roots;
      return { ok: true, value: { by: idOf(newest!), bytes: encrypt(key, newest!, name) } };
    },
    async unwrap({ by, bytes }, name) {
      const roots = readRoots(file);
      if (roots === null) return failed(file, 'missing');
      const fault = faultOf(roots, file);
      if (fault !== null) return fault;
      const root = roots.find((one) => idOf(one) === by);
      if (root === undefined) return failed(file, 'foreign', roots.map(idOf).join(', '));
      const key = decrypt(bytes, root, name);
      return key === null ? failed(file, 'spoilt') : { ok: true, value: key };
    },
    async rotate() {
      const roots = readRoots(file);
      if (roots === null) return failed(file, 'missing');
      const fault = faultOf(roots, file);
      if (fault !== null) return fault;
      if (roots.length === 1) writeRoots(file, [randomBytes(KEY_BYTES), ...roots]);
      return DONE;
    },
    async retire() {
      const roots = readRoots(file);
      if (roots === null) return failed(file, 'missing');
      if (roots.length > 1) writeRoots(file, roots.slice(0, 1));
      return DONE;
    },
  };
}

/** What is wrong with the text of a key file; null when nothing is. */
export function keyFileFault(text: string): 'empty' | 'misshapen' | 'not_random' | null {
  const roots = parseRoots(text);
  if (roots.length === 0) return 'empty';
  if (roots.some((root) => root.length !== KEY_BYTES)) return 'misshapen';
  return roots.some((root) => new Set(root).size < DISTINCT_MIN) ? 'not_random' : null;
}

/** Says nothing about the key: 32 random bytes cannot be guessed. */
function idOf(root: Uint8Array): string {
  return createHmac('sha256', root).update('root key id').digest('hex').slice(0, 16);
}

function parseRoots(text: string): Buffer[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => Buffer.from(line.trim(), 'base64'));
}

/** Null when there is no file. */
function readRoots(file: string): readonly Uint8Array[] | null {
  try {
    return parseRoots(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Of two processes that start together, one makes it and both read it. */
function makeRoots(file: string): readonly Uint8Array[] {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, textOf([randomBytes(KEY_BYTES)]), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return parseRoots(readFileSync(file, 'utf8'));
}

/** A crash leaves the file as it was, or as it is to be. */
function writeRoots(file: string, roots: readonly Uint8Array[]): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}.draft`;
  writeFileSync(draft, textOf(roots), { mode: 0o600, flag: 'wx', flush: true });
  renameSync(draft, file);
}

function textOf(roots: readonly Uint8Array[]): string {
  return roots.map((root) => `${Buffer.from(root).toString('base64')}\n`).join('');
}

function faultOf(roots: readonly Uint8Array[], file: string) {
  const fault = keyFileFault(textOf(roots));
  return fault === null ? null : failed(file, fault);
}

function failed(place: string, code: KeyFailure['code'], said = '') {
  return { ok: false, code, setting: SETTING, place, said } as const;
}

const DONE: KeyAnswer<null> = { ok: true, value: null };
/** Of 32 random bytes fewer than this many are distinct once in 10^30. */
const DISTINCT_MIN = 12;

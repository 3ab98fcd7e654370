// The keys of a test’s own database, under a root key in a file of its own.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { keyFile } from '#adapters/key-management/key-file/key-file.ts';
import type { KeyManagement } from '#ports/key-management.ts';
import { type Keyring, openKeyring } from '#records/keys/keyring.ts';
import type { Database } from '#records/postgres/database.ts';

/** Call at the top of a test file. */
export function testKeyFile(): { readonly file: string; readonly management: KeyManagement } {
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-keys-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, `key-${randomBytes(4).toString('hex')}`);
  return { file, management: keyFile(file) };
}

/** Call at the top of a test file. */
export function testKeyring(database: Database): Promise<Keyring> {
  return openKeyring({ database, management: testKeyFile().management });
}

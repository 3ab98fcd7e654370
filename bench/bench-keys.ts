import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keyFile } from '#adapters/key-management/key-file/key-file.ts';
import { type Keyring, openKeyring } from '#records/keys/keyring.ts';
import type { Database } from '#records/postgres/database.ts';

/** The keys of a bench's own database. */
export function benchKeys(database: Database): Promise<Keyring> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'bench-keys-')), 'key');
  return openKeyring({ database, management: keyFile(file) });
}

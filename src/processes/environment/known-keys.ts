// Opens keys that the database must have been written with: a machine with keys of its own would refuse everybody's sessions,
// and seal what no other machine can open.
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { openSealKey, type SealKey } from '#adapters/signing/embedded/seal-key.ts';
import { findKeyCheck, noteKeyCheck } from '#records/operations/key-checks.ts';
import type { Database } from '#records/postgres/database.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import type { Environment } from './environment.ts';
import { openKey } from './keys.ts';

/** Each throws an Error that names the file and the way out. */
export type KnownKeys = {
  /** Seals the credentials of brokerage accounts. */
  sealing(): Promise<Uint8Array>;
  /** Signs the sessions of people. */
  accessToken(): Promise<Uint8Array>;
  /** Seals agreements. */
  agreementSeal(): Promise<SealKey>;
};

export function knownKeys(
  { dataDir, keyEncryptionKeyFile }: Pick<Environment, 'dataDir' | 'keyEncryptionKeyFile'>,
  database: Database,
): KnownKeys {
  const folder = path.join(dataDir, 'keys');
  return {
    sealing: () =>
      opened(database, 'key encryption key', keyEncryptionKeyFile, openKey, (key) => hmac(key, 'sealing')),
    accessToken: () =>
      opened(database, 'access token key', path.join(folder, 'access-token-key'), openKey, (key) =>
        hmac(key, 'access token'),
      ),
    agreementSeal: () =>
      opened(
        database,
        'agreement seal',
        path.join(folder, 'agreement-seal.pem'),
        () => openSealKey(folder, { owner: PRODUCT_NAME, now: new Date() }),
        ({ fingerprint }) => fingerprint,
      ),
  };
}

async function opened<Key>(
  database: Database,
  name: string,
  file: string,
  open: (file: string) => Key | Promise<Key>,
  checkOf: (key: Key) => string,
): Promise<Key> {
  const wayOut = 'Copy the file from the machine that has it, or name another database in DATABASE_URL';
  const known = await findKeyCheck(database, name);
  // Before a new key is made in its place.
  if (known !== null && !existsSync(file))
    throw new Error(`${file} is missing, and this database was written with that ${name}. ${wayOut}`);
  const key = await open(file);
  const check = checkOf(key);
  if ((await noteKeyCheck(database, name, check)) !== check)
    throw new Error(`${file} is not the ${name} that this database was written with. ${wayOut}`);
  return key;
}

/** Says nothing about the key to whoever reads the database: 32 random bytes cannot be guessed. */
function hmac(key: Uint8Array, purpose: string): string {
  return createHmac('sha256', key).update(`check value of the ${purpose} key`).digest('hex').slice(0, 32);
}

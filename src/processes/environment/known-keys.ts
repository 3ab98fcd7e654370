// Opens keys that the database must have been written with: a machine with keys of its own would refuse everybody's sessions,
// and seal what no other machine can open.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { keyFile } from '#adapters/key-management/key-file/key-file.ts';
import { vault } from '#adapters/key-management/vault/vault.ts';
import { openSealKey, type SealKey } from '#adapters/signing/embedded/seal-key.ts';
import type { KeyManagement } from '#ports/key-management.ts';
import { type Keyring, openKeyring } from '#records/keys/keyring.ts';
import { findKeyCheck, noteKeyCheck } from '#records/operations/key-checks.ts';
import type { Database } from '#records/postgres/database.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import { type AnchorKey, openAnchorKey } from './anchor-key.ts';
import type { Environment } from './environment.ts';

/** Each throws an Error that names the file or the setting, the key and the way out. */
export type KnownKeys = {
  /** Seal the credentials of brokerage accounts, sign the sessions of people. */
  keyring(): Promise<Keyring>;
  /** Seals agreements. */
  agreementSeal(): Promise<SealKey>;
  /** Signs anchors of the audit log. */
  anchorKey(): Promise<AnchorKey>;
};

type Settings = Pick<Environment, 'dataDir' | 'keyEncryptionKeyFile' | 'keyService'>;

export function keyManagement({ keyService, keyEncryptionKeyFile }: Settings): KeyManagement {
  return keyService === null ? keyFile(keyEncryptionKeyFile) : vault(keyService);
}

export function knownKeys(settings: Settings, database: Database): KnownKeys {
  const folder = path.join(settings.dataDir, 'keys');
  return {
    keyring: () => openKeyring({ database, management: keyManagement(settings) }),
    agreementSeal: () =>
      opened(database, {
        name: 'agreement seal',
        file: path.join(folder, 'agreement-seal.pem'),
        open: () => openSealKey(folder, { owner: PRODUCT_NAME, now: new Date() }),
        checkOf: ({ fingerprint }) => fingerprint,
      }),
    anchorKey: () =>
      opened(database, {
        name: 'anchor key',
        file: path.join(folder, 'anchor-key.pem'),
        open: openAnchorKey,
        checkOf: ({ id }) => id,
      }),
  };
}

type Opening<Key> = {
  readonly name: string;
  readonly file: string;
  readonly open: (file: string) => Key | Promise<Key>;
  readonly checkOf: (key: Key) => string;
};

async function opened<Key>(database: Database, { name, file, open, checkOf }: Opening<Key>): Promise<Key> {
  const wayOut = 'Copy the file from the machine that has it, or name another database in DATABASE_URL';
  const known = await findKeyCheck(database, name);
  // Before a new key is made in its place.
  if (known !== null && !existsSync(file))
    throw new Error(
      `${file} is missing, and this database was written with that ${name}, ${known.slice(0, 16)}. ${wayOut}`,
    );
  const key = await open(file);
  const check = checkOf(key);
  const noted = await noteKeyCheck(database, name, check);
  if (noted !== check)
    throw new Error(
      `${file} holds ${check.slice(0, 16)}, and is not the ${name} that this database was written with, ${noted.slice(0, 16)}. ${wayOut}`,
    );
  return key;
}

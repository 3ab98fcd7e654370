// Opens keys that the database must have been written with: a machine with keys of its own would refuse everybody's sessions,
// and seal what no other machine can open.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { keyFile } from '#adapters/key-management/key-file/key-file.ts';
import { vault } from '#adapters/key-management/vault/vault.ts';
import { openSealKey, readSealKey, type SealKey } from '#adapters/signing/embedded/seal-key.ts';
import type { KeyManagement } from '#ports/key-management.ts';
import { type Keyring, openKeyring } from '#records/keys/keyring.ts';
import { findKeyCheck, noteKeyCheck, replaceKeyCheck } from '#records/operations/key-checks.ts';
import type { Database } from '#records/postgres/database.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import { nextFileOf, readFormerKeys, takeNextKey } from '../keys/signing-key-files.ts';
import { type AnchorKey, type AnchorKeys, openAnchorKey, readAnchorKey, withFormer } from './anchor-key.ts';
import type { Environment } from './environment.ts';

/** Each throws an Error that names the file or the setting, the key and the way out. */
export type KnownKeys = {
  /** Seal the credentials of brokerage accounts, sign the sessions of people. */
  keyring(): Promise<Keyring>;
  /** Seals agreements. */
  agreementSeal(): Promise<SealKey>;
  /** Sign anchors of the audit log. */
  anchorKeys(): Promise<AnchorKeys>;
};

type Settings = Pick<Environment, 'dataDir' | 'keyEncryptionKeyFile' | 'keyService'>;

export function keyManagement({ keyService, keyEncryptionKeyFile }: Settings): KeyManagement {
  return keyService === null ? keyFile(keyEncryptionKeyFile) : vault(keyService);
}

export function knownKeys(settings: Settings, database: Database): KnownKeys {
  const { seal, anchor } = signingKeys(settings);
  return {
    keyring: () => openKeyring({ database, management: keyManagement(settings) }),
    agreementSeal: () => openKnown(database, seal),
    anchorKeys: async () => withFormer(await openKnown(database, anchor), anchor.file),
  };
}

export type SigningKey<Key> = {
  /** As the database and its sentences call it. */
  readonly name: string;
  readonly file: string;
  /** Makes it where it is missing. */
  readonly open: (file: string) => Key | Promise<Key>;
  readonly read: (file: string) => Key | Promise<Key>;
  readonly checkOf: (key: Key) => string;
  /** PEM. */
  readonly publicPartOf: (key: Key) => string;
};

/** They lie in the data folder, also where the root key is at Vault: the database has neither half of them. */
export function signingKeys({ dataDir }: Pick<Settings, 'dataDir'>): {
  readonly seal: SigningKey<SealKey>;
  readonly anchor: SigningKey<AnchorKey>;
} {
  const folder = path.join(dataDir, 'keys');
  return {
    seal: {
      name: 'agreement seal',
      file: path.join(folder, 'agreement-seal.pem'),
      open: (file) => openSealKey(file, { owner: PRODUCT_NAME, now: new Date() }),
      read: readSealKey,
      checkOf: ({ fingerprint }) => fingerprint,
      publicPartOf: ({ certificatePem }) => certificatePem,
    },
    anchor: {
      name: 'anchor key',
      file: path.join(folder, 'anchor-key.pem'),
      open: openAnchorKey,
      read: readAnchorKey,
      checkOf: ({ id }) => id,
      publicPartOf: ({ publicKey }) => publicKey,
    },
  };
}

export async function openKnown<Key>(database: Database, signing: SigningKey<Key>): Promise<Key> {
  const { name, file, open, read, checkOf } = signing;
  const wayOut = 'Copy the file from the machine that has it, or name another database in DATABASE_URL';
  const known = await findKeyCheck(database, name);
  // A crash ended its rotation after the database had the new key, and before the file.
  const next = nextFileOf(file);
  if (known !== null && existsSync(next) && checkOf(await read(next)) === known) takeNextKey(file);
  // Before a new key is made in its place.
  if (known !== null && !existsSync(file))
    throw new Error(
      `${file} is missing, and this database was written with that ${name}, ${known.slice(0, 16)}. ${wayOut}`,
    );
  const key = await open(file);
  const check = checkOf(key);
  const noted = await noteKeyCheck(database, name, check);
  if (noted === check) return key;
  // A backup of the database, of before the key was replaced.
  if (readFormerKeys(file).some(({ id }) => id === noted))
    await replaceKeyCheck(database, { name, from: noted, to: check });
  else
    throw new Error(
      `${file} holds ${check.slice(0, 16)}, and is not the ${name} that this database was written with, ${noted.slice(0, 16)}. ${wayOut}`,
    );
  return key;
}

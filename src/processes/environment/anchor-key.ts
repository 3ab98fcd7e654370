// The key that signs anchors of the audit log: Ed25519, in a file that the database cannot reach. Whoever has its public half can
// check every anchor that it signed.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type FormerKey, readFormerKeys } from '../keys/signing-key-files.ts';

export type AnchorKey = {
  /** SHA-256 of the public key, the first sixteen digits. */
  readonly id: string;
  /** PEM. */
  readonly publicKey: string;
  sign(text: string): string;
};

export type AnchorKeys = {
  readonly current: AnchorKey;
  /** Each counts up to its last anchor. */
  readonly former: readonly FormerKey[];
};

/** Made on the first call. Safe for processes that start together. */
export function openAnchorKey(file: string): AnchorKey {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const made = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  try {
    writeFileSync(file, made, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readAnchorKey(file);
}

export function withFormer(current: AnchorKey, file: string): AnchorKeys {
  // A crash may have noted the key that still counts.
  return { current, former: readFormerKeys(file).filter(({ id }) => id !== current.id) };
}

export function readAnchorKey(file: string): AnchorKey {
  return anchorKeyOf(readPrivateKey(file));
}

/** By the public half alone. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  return verify(null, Buffer.from(text), createPublicKey(publicKey), Buffer.from(signature, 'base64url'));
}

function readPrivateKey(file: string): KeyObject {
  try {
    const key = createPrivateKey(readFileSync(file, 'utf8'));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below, with the file.
  }
  throw new Error(`${file} holds no Ed25519 key in PEM form: put the file back from a copy`);
}

function anchorKeyOf(privateKey: KeyObject): AnchorKey {
  const key = createPublicKey(privateKey);
  return {
    id: createHash('sha256')
      .update(key.export({ type: 'spki', format: 'der' }))
      .digest('hex')
      .slice(0, 16),
    publicKey: key.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  };
}

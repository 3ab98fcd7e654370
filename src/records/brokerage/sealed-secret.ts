import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The first byte names the format, so that a later format can coexist with it. */
const VERSION = 1;

/**
 * Seals a secret for the database with AES-256-GCM: version, nonce, tag, ciphertext. `purpose` (table, row, column) is
 * authenticated with it: a sealed secret copied to another row does not open there.
 */
export function sealSecret(plain: string, { key, purpose }: SealingTerms): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(purpose));
  const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ciphertext]);
}

/** Throws when the key or the purpose differs, or the bytes were changed. */
export function openSecret(sealed: Uint8Array, { key, purpose }: SealingTerms): string {
  const bytes = Buffer.from(sealed);
  if (bytes[0] !== VERSION) throw new Error(`sealed secret of unknown version ${bytes[0]}`);
  const tagAt = 1 + NONCE_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(1, tagAt))
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(tagAt, tagAt + TAG_BYTES));
  return decipher.update(bytes.subarray(tagAt + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

export type SealingTerms = {
  /** Exactly 32 bytes. */
  readonly key: Uint8Array;
  readonly purpose: string;
};

/** The purpose of a broker connection's credentials, for sealing and opening: they open for their own vendor alone. */
export function credentialsPurpose({ id, vendor }: { readonly id: string; readonly vendor: string }): string {
  return `broker_connections:${id}:sealed_credentials:${vendor}`;
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ID_BYTES, type Key, type Keyring } from './keyring.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DATA_KEY_BYTES = 32;
const BOX_BYTES = NONCE_BYTES + TAG_BYTES;
/** The first byte names the format, so that a later format can coexist with it. */
const VERSION = 2;
const ID_AT = 1;
const DATA_KEY_AT = ID_AT + ID_BYTES;
const SECRET_AT = DATA_KEY_AT + BOX_BYTES + DATA_KEY_BYTES;

export type SealingTerms = {
  readonly keys: Pick<Keyring, 'newest' | 'find'>;
  readonly purpose: string;
};

/**
 * Seals a secret for the database in an envelope of its own: version, id of the sealing key, a data key wrapped by that key, and the
 * secret encrypted with the data key; AES-256-GCM both times. `purpose` (table, row, column) is authenticated with the secret:
 * copied to another row it does not open there.
 */
export function sealSecret(plain: string, { keys, purpose }: SealingTerms): Buffer {
  const dataKey = randomBytes(DATA_KEY_BYTES);
  const secret = encrypt(Buffer.from(plain, 'utf8'), dataKey, purpose);
  return Buffer.concat([wrapDataKey(dataKey, keys.newest('sealing')), secret]);
}

/** Throws when the key or the purpose differs, or the bytes were changed. */
export async function openSecret(sealed: Uint8Array, { keys, purpose }: SealingTerms): Promise<string> {
  const bytes = Buffer.from(sealed);
  const dataKey = await unwrapDataKey(bytes, keys);
  return decrypt(bytes.subarray(SECRET_AT), dataKey, purpose).toString('utf8');
}

/** The same secret under the newest sealing key: its data key is wrapped anew, the rest stays. */
export async function rewrapSecret(sealed: Uint8Array, keys: SealingTerms['keys']): Promise<Buffer> {
  const bytes = Buffer.from(sealed);
  const dataKey = await unwrapDataKey(bytes, keys);
  return Buffer.concat([wrapDataKey(dataKey, keys.newest('sealing')), bytes.subarray(SECRET_AT)]);
}

function wrapDataKey(dataKey: Buffer, { id, bytes }: Key): Buffer {
  const header = Buffer.concat([Buffer.of(VERSION), Buffer.from(id, 'hex')]);
  return Buffer.concat([header, encrypt(dataKey, bytes, nameOf(id))]);
}

async function unwrapDataKey(bytes: Buffer, keys: SealingTerms['keys']): Promise<Buffer> {
  if (bytes[0] !== VERSION) throw new Error(`sealed secret of unknown version ${bytes[0]}`);
  const id = bytes.subarray(ID_AT, DATA_KEY_AT).toString('hex');
  const key = await keys.find('sealing', id);
  if (key === null) throw new Error(`the sealing key ${id} is not among the keys of this database`);
  return decrypt(bytes.subarray(DATA_KEY_AT, SECRET_AT), key.bytes, nameOf(id));
}

const nameOf = (id: string) => `data key under ${id}`;

function encrypt(plain: Buffer, key: Uint8Array, name: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

function decrypt(box: Buffer, key: Uint8Array, name: string): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, box.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(name))
    .setAuthTag(box.subarray(NONCE_BYTES, BOX_BYTES));
  return Buffer.concat([decipher.update(box.subarray(BOX_BYTES)), decipher.final()]);
}

/** The purpose of a broker connection's credentials, for sealing and opening: they open for their own vendor alone. */
export function credentialsPurpose({ id, vendor }: { readonly id: string; readonly vendor: string }): string {
  return `broker_connections:${id}:sealed_credentials:${vendor}`;
}

// The encryption of a push for one browser: RFC 8291 (Message Encryption for Web Push), in one record of RFC 8188. What stands between us and
// the browser reads nothing.
import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

export type BrowserKeys = {
  /** Base64url: its public key on P-256, and 16 bytes that only it and we know. */
  readonly p256dh: string;
  readonly auth: string;
};

type Chance = { readonly salt: Buffer; readonly ours: ECDH };

export function encryptPush(
  text: string,
  { p256dh, auth }: BrowserKeys,
  { salt, ours }: Chance = newChance(),
): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url');
  const ourPublic = ours.getPublicKey();
  const derive = (secret: Uint8Array, from: Uint8Array, info: string | Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, bytes));
  const both = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ourPublic]);
  const secret = derive(ours.computeSecret(theirs), Buffer.from(auth, 'base64url'), both, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sealed = [cipher.update(Buffer.from(text)), cipher.update(LAST_RECORD), cipher.final()];
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_BYTES);
  header.writeUInt8(ourPublic.length, 4);
  return Buffer.concat([salt, header, ourPublic, ...sealed, cipher.getAuthTag()]);
}

const RECORD_BYTES = 4_096;
const LAST_RECORD = Buffer.from([2]);

function newChance(): Chance {
  const ours = createECDH('prime256v1');
  ours.generateKeys();
  return { salt: randomBytes(16), ours };
}

// The keys by which push services know us (RFC 8292): a key of the keyring is the private half on P-256.
import { createECDH, createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import type { Key } from '#records/keys/keyring.ts';

export type VapidKey = { readonly id: string; readonly publicKey: string; readonly privateKey: KeyObject };

export function vapidKeyOf({ id, bytes }: Pick<Key, 'id' | 'bytes'>): VapidKey {
  const curve = createECDH('prime256v1');
  let secret = Buffer.from(bytes);
  // About one in four thousand million numbers is none of the curve.
  while (!takes(curve, secret)) secret = createHash('sha256').update(secret).digest();
  const open = curve.getPublicKey();
  const part = (from: number, to: number) => open.subarray(from, to).toString('base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: secret.toString('base64url'),
    x: part(1, 33),
    y: part(33, 65),
  };
  return {
    id,
    publicKey: open.toString('base64url'),
    privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
  };
}

function takes(curve: ReturnType<typeof createECDH>, secret: Buffer): boolean {
  try {
    curve.setPrivateKey(secret);
    return true;
  } catch {
    return false;
  }
}

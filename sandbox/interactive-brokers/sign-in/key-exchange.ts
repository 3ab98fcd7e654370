// The brokerage's half of the key agreement that makes a live session token.
import { createDiffieHellman, createHmac, getDiffieHellman } from 'node:crypto';
import type { Consumer } from './consumer.ts';

type Agreement = {
  readonly token: Buffer;
  readonly responseHex: string;
  /** Proves to the client that both hold the same token. */
  readonly signatureHex: string;
};

/** Null when the challenge is no usable number. */
export function agree(consumer: Consumer, challengeHex: string, accessTokenSecret: Buffer): Agreement | null {
  if (!/^[0-9a-f]+$/i.test(challengeHex)) return null;
  const exchange = exchangeOver(consumer.dhPrimeHex);
  exchange.generateKeys();
  let shared: Buffer;
  try {
    shared = exchange.computeSecret(
      challengeHex.padStart(challengeHex.length + (challengeHex.length % 2), '0'),
      'hex',
    );
  } catch {
    return null;
  }
  const token = createHmac('sha1', asSigned(shared)).update(accessTokenSecret).digest();
  return {
    token,
    responseHex: exchange.getPublicKey('hex').replace(/^0+/, ''),
    signatureHex: createHmac('sha1', token).update(consumer.key, 'utf8').digest('hex'),
  };
}

/** The default prime is known to be prime; proving it again would take a third of a second. */
function exchangeOver(primeHex: string) {
  const known = getDiffieHellman('modp14');
  return known.getPrime('hex') === primeHex.toLowerCase() ? known : createDiffieHellman(primeHex, 'hex', 2);
}

/** The number's bytes as a signed big-endian integer of least length. */
function asSigned(padded: Buffer): Buffer {
  let start = 0;
  while (start < padded.length - 1 && padded[start] === 0) start++;
  const bytes = padded.subarray(start);
  return (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
}

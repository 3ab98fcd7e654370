// The day's HMAC key, agreed by Diffie-Hellman and bound to the access token's secret.
import {
  constants,
  createHmac,
  type KeyObject,
  privateDecrypt,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

type KeyExchange = {
  /** Our random exponent. */
  readonly secretExponent: bigint;
  /** What we send: 2^exponent mod prime, hex. */
  readonly challengeHex: string;
};

export function startKeyExchange(
  primeHex: string,
  exponentHex = randomBytes(32).toString('hex'),
): KeyExchange {
  const secretExponent = BigInt(`0x${exponentHex}`);
  const challenge = powerModulo(GENERATOR, secretExponent, BigInt(`0x${primeHex}`));
  return { secretExponent, challengeHex: challenge.toString(16) };
}

/**
 * The token, or null when the vendor's signature of it does not match: a wrong secret, key or prime. Decrypting with
 * a wrong key gives random bytes rather than an error, so this check is the only proof.
 */
export function finishKeyExchange(input: {
  readonly exchange: KeyExchange;
  readonly primeHex: string;
  readonly responseHex: string;
  readonly signatureHex: string;
  readonly accessTokenSecret: Buffer;
  readonly consumerKey: string;
}): Buffer | null {
  if (!/^[0-9a-f]+$/i.test(input.responseHex)) return null;
  const agreed = powerModulo(
    BigInt(`0x${input.responseHex}`),
    input.exchange.secretExponent,
    BigInt(`0x${input.primeHex}`),
  );
  const token = createHmac('sha1', signedBytes(agreed)).update(input.accessTokenSecret).digest();
  const expected = liveSessionTokenSignature(token, input.consumerKey);
  const given = Buffer.from(input.signatureHex, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

export function liveSessionTokenSignature(token: Buffer, consumerKey: string): Buffer {
  return createHmac('sha1', token).update(consumerKey, 'utf8').digest();
}

export function decryptAccessTokenSecret(secretBase64: string, encryptionKey: KeyObject): Buffer {
  return privateDecrypt(
    { key: encryptionKey, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(secretBase64, 'base64'),
  );
}

/** Shortest big-endian two's complement of a natural number: with a leading zero byte if the top bit is set. */
export function signedBytes(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}

export function powerModulo(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

const GENERATOR = 2n;

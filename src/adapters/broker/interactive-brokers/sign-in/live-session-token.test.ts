import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  finishKeyExchange,
  liveSessionTokenSignature,
  powerModulo,
  signedBytes,
  startKeyExchange,
} from './live-session-token.ts';

/** The 1,024-bit prime of RFC 2409, section 6.2. */
const PRIME_HEX =
  'ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd' +
  'ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed' +
  'ee386bfb5a899fa5ae9f24117c4b1fe649286651ece65381ffffffffffffffff';
const PRIME = BigInt(`0x${PRIME_HEX}`);
const consumerKey = 'TESTCONS';

/** The vendor's answer to a challenge, computed on its side. */
function vendor(challengeHex: string, accessTokenSecret: Buffer) {
  const exponent = BigInt(`0x${randomBytes(32).toString('hex')}`);
  const agreed = powerModulo(BigInt(`0x${challengeHex}`), exponent, PRIME);
  const token = createHmac('sha1', signedBytes(agreed)).update(accessTokenSecret).digest();
  const responseHex = powerModulo(2n, exponent, PRIME).toString(16);
  return { token, responseHex, signatureHex: liveSessionTokenSignature(token, consumerKey).toString('hex') };
}

test('both sides agree on the token, and the proof says so', () => {
  for (let i = 0; i < 20; i++) {
    const accessTokenSecret = randomBytes(32);
    const exchange = startKeyExchange(PRIME_HEX);
    const { token, responseHex, signatureHex } = vendor(exchange.challengeHex, accessTokenSecret);
    const input = {
      exchange,
      primeHex: PRIME_HEX,
      responseHex,
      signatureHex,
      accessTokenSecret,
      consumerKey,
    };
    expect(finishKeyExchange(input)).toEqual(token);
  }
});

test('there is no token if the secret, the key, the answer or the proof differs', () => {
  const accessTokenSecret = randomBytes(32);
  const exchange = startKeyExchange(PRIME_HEX);
  const { responseHex, signatureHex } = vendor(exchange.challengeHex, accessTokenSecret);
  const input = { exchange, primeHex: PRIME_HEX, responseHex, signatureHex, accessTokenSecret, consumerKey };
  const turned = (hex: string) => `${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}`;
  const wrong: Partial<typeof input>[] = [
    { accessTokenSecret: randomBytes(32) },
    { consumerKey: 'OTHERONE' },
    { responseHex: turned(responseHex) },
    { signatureHex: turned(signatureHex) },
    { signatureHex: '' },
    { responseHex: 'not hex' },
    { exchange: startKeyExchange(PRIME_HEX) },
  ];
  for (const change of wrong) expect(finishKeyExchange({ ...input, ...change })).toBeNull();
});

// The vectors are in the folder `shared` next to the project; without it these tests are skipped.
import { createPrivateKey, createPublicKey, createVerify, type JsonWebKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  decryptAccessTokenSecret,
  finishKeyExchange,
  liveSessionTokenSignature,
  powerModulo,
  signedBytes,
  startKeyExchange,
} from './live-session-token.ts';
import { authorizationHeader, baseString, encode, type SigningKey } from './oauth-signature.ts';

type Signed = {
  method: string;
  url: string;
  query_params: Record<string, string>;
  oauth_params: Record<string, string>;
  prepend: string | null;
  base_string: string;
  authorization_header: string;
};
type Vectors = {
  dh_prime_hex: string;
  consumer_key: string;
  realm: string;
  access_token_secret_plain_hex: string;
  access_token_secret_b64: string;
  prepend_hex: string;
  to_byte_array: { int_hex: string; bytes_hex: string }[];
  request_token: Signed;
  access_token_request: Signed;
  live_session_token_cases: {
    case: string;
    dh_random_hex: string;
    dh_challenge_hex: string;
    dh_response_hex: string;
    K_bytes_hex: string;
    live_session_token_b64: string;
    live_session_token_signature_hex: string;
    lst_request: Signed;
  }[];
  lst_used_below_b64: string;
  protected: Signed[];
  official_example: {
    live_session_token_b64: string;
    consumer_key: string;
    live_session_token_signature_hex: string;
  };
  signature_private_jwk: JsonWebKey;
  encryption_private_jwk: JsonWebKey;
};

const file = path.resolve(
  import.meta.dirname,
  '../../../../../../shared/reference/ibkr-oauth1a-vectors.json',
);
const vectors = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Vectors) : null;

describe.skipIf(!vectors)('the signature against independent vectors', () => {
  const given = vectors as Vectors;

  it('builds the same base string and header for each request', () => {
    const privateKey = createPrivateKey({ key: given?.signature_private_jwk, format: 'jwk' });
    const liveSessionToken = Buffer.from(given.lst_used_below_b64, 'base64');
    const rsa = (prepend: string | null): SigningKey => ({
      method: 'RSA-SHA256',
      privateKey,
      prepend: prepend ?? undefined,
    });
    const cases: [Signed, SigningKey][] = [
      [given.request_token, rsa(null)],
      [given.access_token_request, rsa(null)],
      ...given.live_session_token_cases.map(({ lst_request }): [Signed, SigningKey] => [
        lst_request,
        rsa(given.prepend_hex),
      ]),
      ...given.protected.map((signed): [Signed, SigningKey] => [
        signed,
        { method: 'HMAC-SHA256', liveSessionToken },
      ]),
    ];
    for (const [signed, key] of cases) {
      const request = {
        method: signed.method,
        url: signed.url,
        query: signed.query_params,
        oauth: signed.oauth_params,
      };
      const stamp = {
        nonce: signed.oauth_params.oauth_nonce ?? '',
        timestamp: signed.oauth_params.oauth_timestamp ?? '',
      };
      expect((key.method === 'RSA-SHA256' ? (key.prepend ?? '') : '') + baseString(request)).toBe(
        signed.base_string,
      );
      expect(authorizationHeader(request, key, { realm: given.realm, stamp })).toBe(
        signed.authorization_header,
      );
    }
  });

  it('decrypts the access token secret', () => {
    const key = createPrivateKey({ key: given.encryption_private_jwk, format: 'jwk' });
    expect(decryptAccessTokenSecret(given.access_token_secret_b64, key).toString('hex')).toBe(
      given.access_token_secret_plain_hex,
    );
  });

  it('agrees on the live session token, and on none when the proof is wrong', () => {
    for (const one of given.live_session_token_cases) {
      const exchange = startKeyExchange(given.dh_prime_hex, one.dh_random_hex);
      expect(exchange.challengeHex).toBe(one.dh_challenge_hex);
      const agreed = powerModulo(
        BigInt(`0x${one.dh_response_hex}`),
        exchange.secretExponent,
        BigInt(`0x${given.dh_prime_hex}`),
      );
      expect(signedBytes(agreed).toString('hex')).toBe(one.K_bytes_hex);
      const input = {
        exchange,
        primeHex: given.dh_prime_hex,
        responseHex: one.dh_response_hex,
        signatureHex: one.live_session_token_signature_hex,
        accessTokenSecret: Buffer.from(given.access_token_secret_plain_hex, 'hex'),
        consumerKey: given.consumer_key,
      };
      expect(finishKeyExchange(input)?.toString('base64')).toBe(one.live_session_token_b64);
      expect(finishKeyExchange({ ...input, consumerKey: 'SOMEONEEL' })).toBeNull();
      expect(finishKeyExchange({ ...input, accessTokenSecret: Buffer.from('00', 'hex') })).toBeNull();
    }
  });

  it('writes a natural number as the shortest signed bytes', () => {
    for (const { int_hex, bytes_hex } of given.to_byte_array)
      expect(signedBytes(BigInt(`0x${int_hex}`)).toString('hex')).toBe(bytes_hex);
  });

  it("signs the vendor's own example token", () => {
    const example = given.official_example;
    const token = Buffer.from(example.live_session_token_b64, 'base64');
    expect(liveSessionTokenSignature(token, example.consumer_key).toString('hex')).toBe(
      example.live_session_token_signature_hex,
    );
  });
});

describe('the signature', () => {
  it('encodes the list once and leaves only unreserved characters as they are', () => {
    expect(encode("a b~!'()*,")).toBe('a+b~%21%27%28%29%2A%2C');
  });

  it('survives a response with an odd number of hex digits', () => {
    const primeHex = '17';
    const exchange = startKeyExchange(primeHex, '6');
    const token = finishKeyExchange({
      exchange,
      primeHex,
      responseHex: '5',
      signatureHex: '00',
      accessTokenSecret: Buffer.of(1),
      consumerKey: 'K',
    });
    expect(token).toBeNull();
    expect(powerModulo(5n, 6n, 0x17n)).toBe(8n);
  });

  it('makes a header whose signature the public key verifies', async () => {
    const { generateKeyPairSync } = await import('node:crypto');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const request = { method: 'POST', url: 'http://h/x', oauth: { oauth_consumer_key: 'K' } };
    const header = authorizationHeader(
      request,
      { method: 'RSA-SHA256', privateKey },
      {
        realm: 'r',
        stamp: { nonce: 'n', timestamp: '1' },
      },
    );
    const signature = /oauth_signature="([^"]+)"/.exec(header)?.[1] ?? '';
    const base = baseString({
      ...request,
      oauth: {
        ...request.oauth,
        oauth_nonce: 'n',
        oauth_timestamp: '1',
        oauth_signature_method: 'RSA-SHA256',
      },
    });
    const verified = createVerify('RSA-SHA256')
      .update(base)
      .verify(createPublicKey(privateKey), decodeURIComponent(signature), 'base64');
    expect(verified).toBe(true);
  });
});

// Edge cases of the signature and the key exchange: other key sizes, secrets that begin with zeros or the sign bit,
// answers with other names, letters and digits, and token renewal. Each is checked against an independent computation.
import {
  constants,
  createHmac,
  createVerify,
  generateKeyPairSync,
  type KeyObject,
  publicEncrypt,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../rate-limiter.ts';
import { type PersonConfig, NO_RATE_LIMITS } from '../config.ts';
import { liveSessionAuthorizer } from './live-session-authorizer.ts';
import { decryptAccessTokenSecret, powerModulo, signedBytes } from './live-session-token.ts';
import { authorizationHeader, baseString, encode } from './oauth-signature.ts';

/** The 1,024-bit prime of RFC 2409, section 6.2. */
const PRIME_HEX =
  'ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd' +
  'ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed' +
  'ee386bfb5a899fa5ae9f24117c4b1fe649286651ece65381ffffffffffffffff';
const PRIME = BigInt(`0x${PRIME_HEX}`);
const NOW = Date.parse('2026-02-02T15:00:00Z');
const HOUR = 3_600_000;
const SECRETS = ['00ff10', '0000', '80', '7f', 'ff'.repeat(32), `00${'ab'.repeat(31)}`];

const keys = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits });
const sealed = (secret: Buffer, key: KeyObject) =>
  publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, secret).toString('base64');
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const headerFields = (header: string) =>
  Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));

describe('the signature', () => {
  for (const bits of [1_024, 2_048, 3_072, 4_096])
    it(`verifies with a key of ${bits} bits, the prepended secret included`, () => {
      const { privateKey, publicKey } = keys(bits);
      const stamp = { nonce: 'n1', timestamp: '1700000000' };
      for (const prepend of [undefined, ...SECRETS]) {
        const request = { method: 'POST', url: 'https://h.test/v1/api/oauth/x', oauth: { oauth_token: 't' } };
        const key = { method: 'RSA-SHA256', privateKey, ...(prepend && { prepend }) } as const;
        const fields = headerFields(authorizationHeader(request, key, { realm: 'limited_poa', stamp }));
        const { oauth_signature: signature = '', realm: _realm, ...oauth } = fields;
        const base = `${prepend ?? ''}${baseString({ ...request, oauth: oauth as Record<string, string> })}`;
        const verifies = createVerify('RSA-SHA256')
          .update(base)
          .verify(publicKey, decodeURIComponent(signature), 'base64');
        expect(verifies).toBe(true);
      }
    });

  for (const realm of ['limited_poa', 'test_realm'])
    it(`names the realm ${realm} first, the rest by name, and keeps it out of what is signed`, () => {
      const stamp = { nonce: 'n', timestamp: '1' };
      const request = {
        method: 'GET',
        url: 'https://h.test/p',
        oauth: { oauth_token: 't', oauth_consumer_key: 'c' },
      };
      const key = { method: 'HMAC-SHA256', liveSessionToken: Buffer.from('key') } as const;
      const header = authorizationHeader(request, key, { realm, stamp });
      expect(header.startsWith(`OAuth realm="${realm}", oauth_consumer_key="c", oauth_nonce="n"`)).toBe(true);
      const inner =
        'oauth_consumer_key=c&oauth_nonce=n&oauth_signature_method=HMAC-SHA256&oauth_timestamp=1&oauth_token=t';
      const base = `GET&${encodeURIComponent('https://h.test/p')}&${encodeURIComponent(inner)}`;
      const signature = createHmac('sha256', 'key').update(base).digest('base64');
      expect(header).toContain(`oauth_signature="${encodeURIComponent(signature)}"`);
    });

  it('encodes values once, and sorts by name, not by pair', () => {
    const query = { conids: '1,2', conid: '7', filters: "a b|c:d~!*'()" };
    const base = baseString({ method: 'GET', url: 'https://h.test/p', query, oauth: {} });
    expect(base.split('&')[2]).toBe('conid%3D7%26conids%3D1%2C2%26filters%3Da+b%7Cc%3Ad~%21%2A%27%28%29');
    const close = baseString({ method: 'GET', url: 'u', query: { a1: '1', a: '2' }, oauth: {} });
    expect(close.split('&')[2]).toBe(encode('a=2&a1=1'));
  });
});

describe('the secret', () => {
  for (const hex of SECRETS)
    it(`keeps each byte of ${hex.slice(0, 8)}`, () => {
      const { privateKey, publicKey } = keys(2_048);
      const secret = Buffer.from(hex, 'hex');
      expect(decryptAccessTokenSecret(sealed(secret, publicKey), privateKey).toString('hex')).toBe(hex);
    });
});

describe('the live session token', () => {
  const signature = keys(2_048);
  const encryption = keys(2_048);

  /** The vendor's side of one exchange; `spoil` alters its answer. */
  const vendor = (secret: Buffer, spoil: (answer: Record<string, unknown>) => unknown) => {
    const exponent = 0x1234_5678_9abcn;
    return async (_url: unknown, init?: { headers?: unknown }) => {
      const { authorization } = (init?.headers ?? {}) as Record<string, string>;
      const { diffie_hellman_challenge: challenge = '' } = headerFields(authorization ?? '');
      const agreed = powerModulo(BigInt(`0x${challenge}`), exponent, PRIME);
      const token = createHmac('sha1', signedBytes(agreed)).update(secret).digest();
      const answer = spoil({
        diffie_hellman_response: powerModulo(2n, exponent, PRIME).toString(16),
        live_session_token_signature: createHmac('sha1', token).update('TESTCONS').digest('hex'),
        live_session_token_expiration: NOW + 24 * HOUR,
      });
      return new Response(JSON.stringify(answer), { status: 200 });
    };
  };
  const permit = (spoil: (answer: Record<string, unknown>) => unknown, hex = 'ab'.repeat(32)) => {
    const secret = Buffer.from(hex, 'hex');
    const config = {
      baseUrl: 'https://h.test/v1/api',
      authorizeUrl: 'https://h.test/authorize',
      consumerKey: 'TESTCONS',
      realm: 'test_realm',
      signaturePrivateKeyPem: pem(signature.privateKey),
      encryptionPrivateKeyPem: pem(encryption.privateKey),
      dhPrimeHex: PRIME_HEX,
      findInstrument: () => null,
      now: () => NOW,
      sleep: () => Promise.resolve(),
      fetch: vendor(secret, spoil) as never,
    } satisfies PersonConfig;
    const credentials = { accessToken: 'token', accessTokenSecret: sealed(secret, encryption.publicKey) };
    const both = { signature: signature.privateKey, encryption: encryption.privateKey };
    const limiter = createRateLimiter(NO_RATE_LIMITS, { until: 0 }, config.now);
    return liveSessionAuthorizer(config, both, credentials, limiter).permit();
  };

  for (const hex of SECRETS)
    it(`is agreed on with a secret of ${hex.slice(0, 8)}`, async () => {
      expect((await permit((answer) => answer, hex)).outcome).toBe('ok');
    });

  const alike: readonly [string, (answer: Record<string, unknown>) => unknown][] = [
    [
      'under the name that the schema has',
      ({ diffie_hellman_response: half, ...rest }) => ({ ...rest, diffie_hellman_challenge: half }),
    ],
    [
      'in capital letters',
      (answer) => ({
        ...answer,
        diffie_hellman_response: String(answer.diffie_hellman_response).toUpperCase(),
        live_session_token_signature: String(answer.live_session_token_signature).toUpperCase(),
      }),
    ],
    [
      'with a leading zero',
      (answer) => ({ ...answer, diffie_hellman_response: `0${String(answer.diffie_hellman_response)}` }),
    ],
    ['with fields that nobody knows', (answer) => ({ ...answer, more: { of: ['it'] } })],
  ];
  for (const [what, spoil] of alike)
    it(`is agreed on with an answer ${what}`, async () => {
      expect((await permit(spoil)).outcome).toBe('ok');
    });

  const wrong: readonly [string, (answer: Record<string, unknown>) => unknown, string][] = [
    [
      'another signature',
      (answer) => ({ ...answer, live_session_token_signature: '00'.repeat(20) }),
      'refused',
    ],
    ['no signature', (answer) => ({ ...answer, live_session_token_signature: undefined }), 'refused'],
    [
      'a signature cut short',
      (answer) => ({
        ...answer,
        live_session_token_signature: String(answer.live_session_token_signature).slice(0, 38),
      }),
      'refused',
    ],
    ['another half', (answer) => ({ ...answer, diffie_hellman_response: '05' }), 'refused'],
    ['no half', (answer) => ({ ...answer, diffie_hellman_response: '' }), 'unreachable'],
    ['an error under 200', () => ({ error: 'not now' }), 'unreachable'],
  ];
  for (const [what, spoil, code] of wrong)
    it(`is refused with ${what}`, async () => {
      expect(await permit(spoil)).toMatchObject({ outcome: 'failed', code });
    });

  const ends: readonly [string, unknown, number][] = [
    ['the end of its day', NOW + 24 * HOUR, 23],
    ['the moment of its making', NOW - 1_000, 23],
    ['an earlier end', NOW + 10 * HOUR, 9],
    ['an end after more than a day', NOW + 72 * HOUR, 23],
    ['its end as text', String(NOW + 10 * HOUR), 9],
    ['nothing', undefined, 23],
  ];
  for (const [what, expiration, hours] of ends)
    it(`is renewed after ${hours} hours where the field holds ${what}`, async () => {
      const answer = await permit((given) => ({ ...given, live_session_token_expiration: expiration }));
      expect(answer.outcome === 'ok' && answer.value.life.renewAt).toBe(NOW + hours * HOUR);
    });
});

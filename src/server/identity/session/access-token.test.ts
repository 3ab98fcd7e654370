import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import type { UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { issueAccessToken, verifyAccessToken } from './access-token.ts';

const KEY = { id: 'k1', bytes: randomBytes(32) };
const keysOf = (key: typeof KEY) => ({
  find: async (_: string, id: string) => (id === key.id ? ({ ...key } as never) : null),
});
const KEYS = keysOf(KEY);
const NOW = instant(Date.UTC(2026, 0, 5, 15));
const CALLER = { userId: '5b0f6f2e-7c1d-4e9a-8a34-000000000001' as UserId, sessionId: 's1' };

test('a token of ours names its caller for ten minutes', async () => {
  const token = await issueAccessToken(CALLER, KEY, NOW);
  expect((await verifyAccessToken(token, KEYS, NOW))?.caller).toEqual(CALLER);
  expect(await verifyAccessToken(token, KEYS, instant(NOW + 600_000))).toBeNull();
  expect(await verifyAccessToken(token, keysOf({ ...KEY, bytes: randomBytes(32) }), NOW)).toBeNull();
});

test.each([
  ['for another service', { aud: 'another-service' }],
  ['for nobody', { aud: null }],
  ['by another issuer', { iss: 'somebody-else' }],
  ['of another kind', { typ: 'JWT' }],
])(
  'a token %s is none, although the key signed it',
  async (_, { aud, iss, typ }: Record<string, string | null>) => {
    const seconds = Math.floor(NOW / 1000);
    const claims = new SignJWT({ sid: CALLER.sessionId })
      .setProtectedHeader({ alg: 'HS256', typ: typ ?? 'at+jwt', kid: KEY.id })
      .setSubject(CALLER.userId)
      .setIssuer(iss ?? 'bellwether')
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 60);
    const token = await (aud === null ? claims : claims.setAudience(aud ?? 'bellwether-api')).sign(KEY.bytes);
    expect(await verifyAccessToken(token, KEYS, NOW)).toBeNull();
  },
);

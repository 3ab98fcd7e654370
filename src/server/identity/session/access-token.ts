import { errors, jwtVerify, SignJWT } from 'jose';
import type { Key, Keyring } from '#records/keys/keyring.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Caller } from '../../http/call.ts';

/** Ten minutes: the longest that a stolen token works, unless its session ends sooner. */
const LIFETIME_SECONDS = 600;
const ALGORITHM = 'HS256';
/** What else we may sign with this key is no access token, and another service's token is none of ours. */
const SAYS = { typ: 'at+jwt', issuer: 'bellwether', audience: 'bellwether-api' } as const;

export function issueAccessToken(
  caller: Caller,
  key: Pick<Key, 'id' | 'bytes'>,
  now: Instant,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ sid: caller.sessionId })
    .setProtectedHeader({ alg: ALGORITHM, typ: SAYS.typ, kid: key.id })
    .setIssuer(SAYS.issuer)
    .setAudience(SAYS.audience)
    .setSubject(caller.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(key.bytes);
}

export type VerifiedToken = { readonly caller: Caller; readonly expiresAt: Instant };

/** Null for anything but a token that we signed and that has not expired. */
export async function verifyAccessToken(
  token: string,
  keys: Pick<Keyring, 'find'>,
  now: Instant,
): Promise<VerifiedToken | null> {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => signingKey(kid, keys), {
      ...SAYS,
      algorithms: [ALGORITHM],
      currentDate: new Date(now),
    });
    if (typeof payload.sub !== 'string' || typeof payload.sid !== 'string' || !payload.exp) return null;
    const caller = { userId: payload.sub as UserId, sessionId: payload.sid };
    return { caller, expiresAt: (payload.exp * 1000) as Instant };
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_J')) return null;
    throw error;
  }
}

/** A token names its key: those of the key before this one count until they expire. */
async function signingKey(id: unknown, keys: Pick<Keyring, 'find'>): Promise<Uint8Array> {
  const key = typeof id === 'string' ? await keys.find('access_token', id) : null;
  if (key === null) throw new errors.JWSInvalid('no such key');
  return key.bytes;
}

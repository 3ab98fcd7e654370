import { createHash, randomBytes } from 'node:crypto';
import { DAY_MS, type Instant } from '#units/instant.ts';

type IssuedRefreshToken = { readonly token: string; readonly hash: Buffer };

/** Opaque: 256 random bits. Only its hash is kept. */
export function newRefreshToken(): IssuedRefreshToken {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: refreshTokenHash(token) };
}

export function refreshTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

type Lifetime = { readonly remember: boolean; readonly sessionStartedAt: Instant; readonly now: Instant };

/** A session ends after seven unused days, thirty with "remember me"; no session lasts longer than thirty days. */
export function refreshTokenExpiry({ remember, sessionStartedAt, now }: Lifetime): Instant {
  const unusedUntil = now + (remember ? 30 : 7) * DAY_MS;
  return Math.min(unusedUntil, sessionStartedAt + 30 * DAY_MS) as Instant;
}

export const SECONDS_OF_SAME_ANSWER = 10;

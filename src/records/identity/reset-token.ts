import { createHash, randomBytes } from 'node:crypto';
import { MINUTE_MS } from '#units/instant.ts';

export const RESET_MINUTES = 30;
export const RESET_LIFETIME_MS = RESET_MINUTES * MINUTE_MS;

/** 256 random bits; only the hash is stored. */
export function newResetToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: resetTokenHash(token) };
}

export function resetTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

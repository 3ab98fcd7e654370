import type { FastifyRequest } from 'fastify';
import { createRefreshToken } from '#records/identity/refresh-tokens.ts';
import { createSession } from '#records/identity/sessions.ts';
import type { UserId } from '#units/identifiers.ts';
import { isoText } from '#units/instant.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { issueAccessToken } from './access-token.ts';
import { newRefreshToken, refreshTokenExpiry } from './refresh-token.ts';

type Start = { readonly userId: UserId; readonly remember: boolean; readonly request: FastifyRequest };

/** A new session with its first pair of tokens. */
export async function startSession(
  { userId, remember, request }: Start,
  { records, keys, now }: Dependencies,
) {
  const at = now();
  const userAgent = request.headers['user-agent'] ?? '';
  const expiresAt = refreshTokenExpiry({ remember, sessionStartedAt: at, now: at });
  const { token, hash } = newRefreshToken();
  const sessionId = await records.database.transaction().execute(async (trx) => {
    const id = await createSession(trx, { userId, remember, at, expiresAt, address: request.ip, userAgent });
    await createRefreshToken(trx, { hash, sessionId: id, issuedAt: at, expiresAt });
    return id;
  });
  const access = await issueAccessToken({ userId, sessionId }, keys.newest('access_token'), at);
  return { token: access, refreshToken: token, refresh_expires_at: isoText(expiresAt) };
}

import type { identityEndpoints } from '#contract/identity.ts';
import type { Answer } from '#contract/http/endpoint.ts';
import {
  lockRefreshToken,
  rotateRefreshToken,
  type FoundRefreshToken,
} from '#records/identity/refresh-tokens.ts';
import { openSecret, sealSecret } from '#records/keys/sealed-secret.ts';
import { endSession } from '#records/identity/sessions.ts';
import { type Instant, isoText, parseInstant, SECOND_MS } from '#units/instant.ts';
import type { Call } from '../../http/call.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { refuse, type Refused } from '../../http/refusal.ts';
import { issueAccessToken } from './access-token.ts';
import {
  newRefreshToken,
  refreshTokenExpiry,
  refreshTokenHash,
  SECONDS_OF_SAME_ANSWER,
} from './refresh-token.ts';

type Refreshed = Answer<typeof identityEndpoints.refreshToken>;

/**
 * Rotates a refresh token. For ten seconds the used one still gets the same answer, to cover a lost reply or a second
 * tab; after that, reuse means that the token was stolen, and its session ends.
 */
export const refreshSession: Call<typeof identityEndpoints.refreshToken> = async ({ body }, dependencies) => {
  const { records, now, keys } = dependencies;
  const at = now();
  const hash = refreshTokenHash(body.refresh);
  return records.database.transaction().execute(async (trx): Promise<Refreshed | Refused> => {
    const found = await lockRefreshToken(trx, { hash, at });
    if (!found || !found.isSessionAlive || found.expiresAt.getTime() <= at) return SESSION_ENDED;
    const terms = { keys, purpose: `refresh_tokens:${hash.toString('hex')}:successor` };
    if (found.rotatedAt !== null) {
      const age = at - found.rotatedAt.getTime();
      if (age <= SECONDS_OF_SAME_ANSWER * SECOND_MS && found.successor !== null) {
        return JSON.parse(await openSecret(Buffer.from(found.successor, 'base64'), terms)) as Refreshed;
      }
      await endSession(trx, found.sessionId, at);
      return SESSION_ENDED;
    }
    const next = await issueNext(found, at, dependencies);
    const sealedSuccessor = sealSecret(JSON.stringify(next.answer), terms).toString('base64');
    await rotateRefreshToken(trx, { hash, sealedSuccessor }, next.record);
    return next.answer;
  });
};

const SESSION_ENDED = refuse('session_ended', 'Your session has ended. Please sign in again.');

async function issueNext(found: FoundRefreshToken, at: Instant, { keys }: Dependencies) {
  const { token, hash } = newRefreshToken();
  const expiresAt = refreshTokenExpiry({
    remember: found.remember,
    sessionStartedAt: parseInstant(found.sessionStartedAt),
    now: at,
  });
  const answer: Refreshed = {
    access: await issueAccessToken(found, keys.newest('access_token'), at),
    refresh: token,
    refresh_expires_at: isoText(expiresAt),
  };
  return { answer, record: { hash, sessionId: found.sessionId, issuedAt: at, expiresAt } };
}

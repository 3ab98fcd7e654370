// Authorises an adviser through OAuth 2.0: a signed assertion is exchanged for a token, the token for a session, and
// every request carries the session's token.
import { createPrivateKey, createSign, type KeyObject } from 'node:crypto';
import type { BrokerAnswer } from '#ports/broker.ts';
import { asNumber, asText, fieldsOf, reading } from '../../answer-fields.ts';
import { bodyOf, exchange, failed } from '../../exchange.ts';
import type { RateLimiter } from '../../rate-limiter.ts';
import { failureOf } from '../failure-of.ts';
import { type Authorizer, createAuthorizer, type Permit, SIGN_IN_PRIORITY } from './authorizer.ts';
import { tokenLife } from './token-life.ts';
import type { AdviserConfig } from '../config.ts';

/** Throws when the key is invalid, so that the operator sees it at start-up. */
export function adviserAuthorizer(config: AdviserConfig, limiter: RateLimiter): Authorizer {
  const key = createPrivateKey(config.privateKeyPem);
  return createAuthorizer(() => openSession(config, key, limiter), config.now ?? Date.now);
}

async function openSession(
  config: AdviserConfig,
  key: KeyObject,
  limiter: RateLimiter,
): Promise<BrokerAnswer<Permit>> {
  const now = (config.now ?? Date.now)();
  const token = await askForToken(config, limiter, {
    url: config.tokenUrl,
    raw: { type: 'application/x-www-form-urlencoded', body: assertionForm(config, key, now) },
  });
  if (token.outcome === 'failed') return token;
  const session = await askForToken(config, limiter, {
    url: config.sessionUrl,
    headers: { authorization: `Bearer ${token.value.token}` },
    raw: { type: 'application/jwt', body: sessionRequest(config, key, now) },
  });
  if (session.outcome === 'failed') return session;
  const bearer = session.value.token;
  const lifeMs = Math.min(session.value.lifeMs, token.value.lifeMs);
  return {
    outcome: 'ok',
    value: {
      life: tokenLife(now, now + lifeMs),
      streamQuery: `bearer_token=${encodeURIComponent(bearer)}`,
      header: () => `Bearer ${bearer}`,
    },
  };
}

async function askForToken(
  config: AdviserConfig,
  limiter: RateLimiter,
  ask: {
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly raw: { readonly type: string; readonly body: string };
  },
): Promise<BrokerAnswer<{ readonly token: string; readonly lifeMs: number }>> {
  const { timeoutMs, fetch } = config;
  const result = await limiter.run(ask.url, SIGN_IN_PRIORITY, () =>
    exchange({ ...ask, method: 'POST', timeoutMs, fetch }),
  );
  // The vendor answers a wrong assertion with 400, which means the same as a 401.
  if (result.kind === 'answered' && (result.status === 400 || result.status === 401 || result.status === 403))
    return failed('unauthorized', failureOf(result)?.reason ?? `HTTP ${result.status}`);
  const failure = failureOf(result);
  if (failure) return failure;
  const fields = reading(() => fieldsOf(bodyOf(result), 'the token answer'));
  if (fields.outcome === 'failed') return fields;
  const token = asText(fields.value.access_token);
  if (token === null || fields.value.active === false)
    return failed('unreadable', 'the broker answered without a token');
  return { outcome: 'ok', value: { token, lifeMs: (asNumber(fields.value.expires_in) ?? DAY_S) * 1_000 } };
}

function assertionForm({ clientId, keyId }: AdviserConfig, key: KeyObject, now: number): string {
  const claims = { iss: clientId, sub: clientId, aud: '/token', ...lifeOf(now, ASSERTION_LIFE_S) };
  return new URLSearchParams({
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: signedToken(claims, { keyId, key }),
    scope: 'sso-sessions.write',
  }).toString();
}

function sessionRequest(
  { clientId, keyId, credential, ip }: AdviserConfig,
  key: KeyObject,
  now: number,
): string {
  return signedToken({ ip, credential, iss: clientId, ...lifeOf(now, DAY_S) }, { keyId, key });
}

/** Issued slightly in the past to allow for clock differences. */
function lifeOf(now: number, seconds: number) {
  const at = Math.floor(now / 1_000);
  return { iat: at - 10, exp: at + seconds };
}

/** A JSON web token by RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7515, 7518). */
function signedToken(
  claims: object,
  { keyId, key }: { readonly keyId: string; readonly key: KeyObject },
): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'RS256', typ: 'JWT', kid: keyId })}.${encode(claims)}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
}

const ASSERTION_LIFE_S = 20;
const DAY_S = 86_400;

// The JWT grant: an assertion signed with the app's RSA key becomes a token of one hour.
import { createPublicKey, createVerify, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ACCOUNT_ID, type StandInSettings } from './account.ts';

const TOKEN_SECONDS = 3600;
const ASSERTION_SECONDS_MAX = 3600;
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export function createSignIn(
  app: FastifyInstance,
  settings: StandInSettings,
): { isSignedIn(request: FastifyRequest): boolean } {
  const tokens = new Map<string, number>();
  const seconds = () => Math.floor(settings.nowMs() / 1000);
  const isSignedIn = (request: FastifyRequest): boolean => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    return seconds() < (tokens.get(token) ?? 0);
  };

  app.post('/oauth/token', (request, reply) => {
    const { grant_type: grant, assertion } = (request.body ?? {}) as Record<string, string>;
    if (grant !== GRANT) return reply.status(400).send({ error: 'unsupported_grant_type' });
    const problem = problemOf(assertion ?? '', String(request.headers.host), settings, seconds());
    if (problem !== null) return reply.status(400).send({ error: problem });
    const token = randomUUID();
    tokens.set(token, seconds() + TOKEN_SECONDS);
    return { access_token: token, token_type: 'Bearer', expires_in: TOKEN_SECONDS };
  });

  app.get('/oauth/userinfo', (request, reply) => {
    if (!isSignedIn(request)) return reply.status(401).send({ error: 'invalid_token' });
    const account = { account_id: ACCOUNT_ID, is_default: true, base_uri: `http://${request.headers.host}` };
    return { sub: settings.userId, accounts: [account] };
  });
  return { isSignedIn };
}

function problemOf(
  assertion: string,
  host: string,
  settings: StandInSettings,
  seconds: number,
): string | null {
  const [header = '', body = '', signature = ''] = assertion.split('.');
  const claims = json(body);
  const isSigned =
    json(header)['alg'] === 'RS256' &&
    createVerify('RSA-SHA256')
      .update(`${header}.${body}`)
      .verify(createPublicKey(settings.publicKeyPem), signature, 'base64url');
  if (!isSigned || claims['iss'] !== settings.integrationKey) return 'invalid_grant';
  const { iat, exp } = claims as { iat: number; exp: number };
  if (!(exp > seconds && iat <= seconds + 60 && exp - iat <= ASSERTION_SECONDS_MAX)) return 'invalid_grant';
  if (claims['aud'] !== host) return 'invalid_grant';
  const scopes = String(claims['scope']).split(' ');
  if (!scopes.includes('signature') || !scopes.includes('impersonation')) return 'invalid_scope';
  return claims['sub'] === settings.userId ? null : 'consent_required';
}

function json(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

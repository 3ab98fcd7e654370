// The three signed requests that lead to a session: request token, access token, live session token.
import type { FastifyInstance } from 'fastify';
import type { Consumer } from './consumer.ts';
import { badRequest, refuse } from '../session/gate.ts';
import { agree } from './key-exchange.ts';
import type { ExpectedSigner, OauthCheck } from './oauth-check.ts';
import type { AccessToken, Permissions } from './permissions.ts';
import type { Sessions } from '../session/sessions.ts';

export function oauthRoutes(
  app: FastifyInstance,
  tools: {
    readonly consumer: Consumer;
    readonly check: OauthCheck;
    readonly permissions: Permissions;
    readonly sessions: Sessions;
  },
): void {
  const { consumer, check, permissions, sessions } = tools;

  app.post('/oauth/request_token', (request, reply) => {
    const outcome = check(request, () => BY_CONSUMER);
    if (typeof outcome === 'string') return refuse(reply, outcome);
    return reply.send({ oauth_token: permissions.request() });
  });

  app.post('/oauth/access_token', (request, reply) => {
    const outcome = check(request, () => BY_CONSUMER);
    if (typeof outcome === 'string') return refuse(reply, outcome);
    const granted = permissions.exchange(outcome.oauth_token ?? '', outcome.oauth_verifier ?? '');
    if (!granted) return refuse(reply, 'invalid request token or verifier');
    return reply.send({
      is_paper: true,
      oauth_token: granted.token,
      oauth_token_secret: granted.secretBase64,
    });
  });

  app.post('/oauth/live_session_token', (request, reply) => {
    let access: AccessToken | null = null;
    const outcome = check(request, ({ oauth_token: token }) => {
      access = permissions.findAccess(token ?? '');
      return access ? { ...BY_CONSUMER, prepend: access.secret.toString('hex') } : 'invalid access token';
    });
    if (typeof outcome === 'string') return refuse(reply, outcome);
    const found = access as AccessToken | null;
    if (!found) throw new Error('a checked request without an access token');
    const agreement = agree(consumer, outcome.diffie_hellman_challenge ?? '', found.secret);
    if (!agreement) return badRequest(reply, 'Bad Request: invalid diffie_hellman_challenge');
    return reply.send({
      diffie_hellman_response: agreement.responseHex,
      live_session_token_signature: agreement.signatureHex,
      live_session_token_expiration: sessions.addToken(sessions.of(found), agreement.token),
    });
  });
}

const BY_CONSUMER: ExpectedSigner & { method: 'RSA-SHA256' } = { method: 'RSA-SHA256', prepend: '' };

// The adviser's two signed requests: a token for an assertion, a session for a token. And the opening of a practice
// account under it, which at a real brokerage is paperwork.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AdviserAccess } from './adviser.ts';
import type { People } from './people.ts';

export function adviserRoutes(app: FastifyInstance, access: AdviserAccess, people: People): void {
  app.addContentTypeParser(
    'application/jwt',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => done(null, body),
  );

  app.post('/oauth2/api/v1/token', async (request, reply) => {
    const form = (request.body ?? {}) as Record<string, string>;
    if (form.grant_type !== 'client_credentials' || form.client_assertion_type !== ASSERTION_TYPE)
      return problem(reply, 400, 'invalid_request');
    if (!form.scope?.split(' ').includes(SCOPE)) return problem(reply, 400, 'invalid_scope');
    const granted = await access.token(form.client_assertion ?? '');
    if (typeof granted === 'string') return problem(reply, 400, granted);
    return reply.send({
      access_token: granted.token,
      token_type: 'Bearer',
      scope: SCOPE,
      expires_in: 86_399,
    });
  });

  app.post('/gw/api/v1/sso-sessions', async (request, reply) => {
    const bearer = bearerOf(request.headers.authorization);
    if (bearer === null || typeof request.body !== 'string') return problem(reply, 400, 'malformed request');
    const opened = await access.session(bearer, request.body, request.ip);
    if (typeof opened === 'string') return problem(reply, 401, opened);
    return reply.send({ access_token: opened.token, token_type: 'Bearer', active: true });
  });

  app.post('/accounts', (request, reply) => {
    const { user_name, password } = (request.body ?? {}) as Record<string, unknown>;
    const opened = people.open(String(user_name ?? ''), String(password ?? ''));
    if (typeof opened === 'string') return problem(reply, 400, opened);
    return reply.code(201).send({ account_id: opened.accountId });
  });
}

export function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? null;
}

function problem(reply: FastifyReply, status: 400 | 401, detail: string): FastifyReply {
  const title = status === 400 ? 'Bad Request' : 'Unauthorized';
  return reply
    .code(status)
    .type('application/problem+json')
    .send(JSON.stringify({ type: '/simple', title, status, detail }));
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const SCOPE = 'sso-sessions.write';

// Permission at the stand-in for Alpaca: the authorisation code grant of RFC 6749, and API keys.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Books } from '../orders/books.ts';
import type { Account } from '../orders/order.ts';

export type SignIn = {
  /** The person who sends the request, or null after the refusal has been sent. */
  caller(request: FastifyRequest, reply: FastifyReply): Account | null;
  /** Whose token, or key and secret, the fields of a stream's message are; null for nobody's. */
  findAccount(fields: Readonly<Record<string, unknown>>): Account | null;
  /** A new account with its own API key. */
  openWithKey(money?: 'paper' | 'real'): {
    readonly account: Account;
    readonly keyId: string;
    readonly secretKey: string;
  };
};

export function createSignIn(
  app: FastifyInstance,
  books: Books,
  client: { readonly id: string; readonly secret: string },
): SignIn {
  const tokens = new Map<string, Account>();
  const keys = new Map<string, { readonly secret: string; readonly account: Account }>();
  const codes = new Map<string, { readonly account: Account; readonly redirectUri: string }>();

  const accountOf = ({ token, key, secret }: Credentials): Account | null => {
    const found = keys.get(textOf(key));
    const isSecret = found !== undefined && equal(textOf(secret), found.secret);
    return tokens.get(textOf(token)) ?? (isSecret ? found.account : null);
  };

  app.get('/oauth/authorize', (request, reply) => {
    const { client_id, response_type } = request.query as Record<string, string | undefined>;
    if (client_id !== client.id || response_type !== 'code')
      return reply.code(400).send({ message: 'unknown client or response type' });
    return reply
      .type('text/html')
      .send(
        '<!DOCTYPE html><title>Practice money</title><form method="post"><button name="decision" value="approve">Allow</button><button name="decision" value="deny">Deny</button></form>',
      );
  });

  app.post('/oauth/authorize', (request, reply) => {
    const { redirect_uri = '', state = '' } = request.query as Record<string, string | undefined>;
    const { decision } = (request.body ?? {}) as Record<string, string | undefined>;
    const back = new URL(redirect_uri);
    back.searchParams.set('state', state);
    if (decision !== 'approve') back.searchParams.set('error', 'access_denied');
    else {
      const code = randomBytes(16).toString('hex');
      codes.set(code, { account: books.open(), redirectUri: redirect_uri });
      back.searchParams.set('code', code);
    }
    return reply.redirect(back.href);
  });

  app.post('/oauth/token', (request, reply) => {
    const form = (request.body ?? {}) as Record<string, string | undefined>;
    const isClient = form.client_id === client.id && equal(form.client_secret ?? '', client.secret);
    const code = codes.get(form.code ?? '');
    if (
      !isClient ||
      form.grant_type !== 'authorization_code' ||
      code?.redirectUri !== form.redirect_uri ||
      !code
    )
      return reply.code(400).send({ code: 40_010_000, message: 'invalid grant' });
    codes.delete(form.code ?? '');
    const token = randomBytes(20).toString('hex');
    tokens.set(token, code.account);
    return reply.send({ access_token: token, token_type: 'bearer', scope: 'account:write trading' });
  });

  return {
    caller(request, reply) {
      const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
      const { 'apca-api-key-id': key, 'apca-api-secret-key': secret } = request.headers;
      const account = accountOf({ token: bearer, key, secret });
      if (account === null)
        void reply.code(401).send({ code: 40_110_000, message: 'request is not authorized' });
      return account;
    },
    findAccount: ({ oauth_token: token, key_id: key, secret_key: secret }) =>
      accountOf({ token, key, secret }),
    openWithKey(money) {
      const [keyId, secretKey] = [
        `PK${randomBytes(9).toString('hex').toUpperCase()}`,
        randomBytes(20).toString('hex'),
      ];
      const account = books.open(money);
      keys.set(keyId, { secret: secretKey, account });
      return { account, keyId, secretKey };
    },
  };
}

type Credentials = { readonly token?: unknown; readonly key?: unknown; readonly secret?: unknown };

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function equal(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

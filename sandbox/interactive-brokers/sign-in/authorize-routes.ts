// The browser's way: sign in, or open an account, then approve or deny, then back to the application.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Micro } from '#units/money.ts';
import { fromMicro } from '#units/money.ts';
import { type AuthorizePage, showAuthorizePage } from './authorize-page.ts';
import { AUTHORIZE_STYLE } from './authorize-style.ts';
import type { People, Person } from './people.ts';
import type { Permissions } from './permissions.ts';

export function authorizeRoutes(
  app: FastifyInstance,
  tools: {
    readonly people: People;
    readonly permissions: Permissions;
    readonly cashOf: (accountId: string) => Micro;
    /** Hosts, besides the page's own and this machine, to which a person may be sent back. */
    readonly callbackHosts: readonly string[];
    readonly realNow: () => number;
  },
): void {
  const { people, permissions, cashOf, callbackHosts, realNow } = tools;
  const signedIn = new Map<string, { readonly requestToken: string; readonly person: Person }>();
  const attempts = createAttempts(realNow);

  /** The content of the request, or the page that explains why it is refused. */
  const readAsk = (request: FastifyRequest): Ask | Extract<AuthorizePage, { kind: 'message' }> => {
    const source = (request.method === 'GET' ? request.query : (request.body ?? {})) as Record<
      string,
      unknown
    >;
    const requestToken = String(source.oauth_token ?? '');
    const redirectUri = String(source.redirect_uri ?? '');
    if (!permissions.isOpen(requestToken)) return EXPIRED;
    const target = URL.canParse(redirectUri) ? new URL(redirectUri) : null;
    const own = request.hostname.split(':')[0] ?? '';
    const allowed = [own, 'localhost', '127.0.0.1', '[::1]', ...callbackHosts];
    if (!target || !/^https?:$/.test(target.protocol) || !allowed.includes(target.hostname)) return FOREIGN;
    return { requestToken, redirectUri, target, fields: source };
  };

  const enter = (reply: FastifyReply, ask: Ask, person: Person) => {
    const key = randomBytes(16).toString('hex');
    signedIn.set(key, { requestToken: ask.requestToken, person });
    if (signedIn.size > SIGNED_IN_MAX) signedIn.delete(signedIn.keys().next().value ?? '');
    void reply.header('set-cookie', `${COOKIE}=${key}; Path=/authorize; HttpOnly; SameSite=Lax; Max-Age=600`);
    return show(reply, ask.target, decidePage(ask, person));
  };

  const decidePage = (ask: Ask, { userName, accountId }: Person): AuthorizePage => {
    const amount = fromMicro(cashOf(accountId));
    const cash = amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
    return { kind: 'decide', ...ask, userName, accountId, cash };
  };

  app.get('/authorize/style.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'max-age=300').send(AUTHORIZE_STYLE),
  );

  app.get('/authorize', (request, reply) => {
    const ask = readAsk(request);
    if ('kind' in ask) return show(reply.code(400), null, ask);
    return show(reply, ask.target, { kind: 'sign_in', ...ask, userName: '', problem: '', form: 'sign-in' });
  });

  app.post('/authorize/sign-in', (request, reply) => {
    const ask = readAsk(request);
    if ('kind' in ask) return show(reply.code(400), null, ask);
    const userName = String(ask.fields.user_name ?? '');
    const person = attempts.allows(userName)
      ? people.signIn(userName, String(ask.fields.password ?? ''))
      : null;
    if (person) return enter(reply, ask, person);
    const problem = attempts.fail(userName)
      ? 'User name and password do not match.'
      : 'Too many attempts for this user name. Wait ten minutes, or open a new practice account.';
    return show(reply.code(401), ask.target, { kind: 'sign_in', ...ask, userName, problem, form: 'sign-in' });
  });

  app.post('/authorize/open-account', (request, reply) => {
    const ask = readAsk(request);
    if ('kind' in ask) return show(reply.code(400), null, ask);
    const userName = String(ask.fields.user_name ?? '');
    const opened = people.open(userName, String(ask.fields.password ?? ''));
    if (typeof opened !== 'string') return enter(reply, ask, opened);
    const page: AuthorizePage = { kind: 'sign_in', ...ask, userName, problem: opened, form: 'open-account' };
    return show(reply.code(422), ask.target, page);
  });

  app.post('/authorize/decide', (request, reply) => {
    const ask = readAsk(request);
    if ('kind' in ask) return show(reply.code(400), null, ask);
    const visit = signedIn.get(readCookie(request) ?? '');
    if (visit?.requestToken !== ask.requestToken) {
      const problem = 'Sign in first.';
      return show(reply.code(401), ask.target, {
        kind: 'sign_in',
        ...ask,
        userName: '',
        problem,
        form: 'sign-in',
      });
    }
    ask.target.searchParams.set('oauth_token', ask.requestToken);
    if (ask.fields.decision === 'approve') {
      const verifier = permissions.approve(ask.requestToken, visit.person.userName);
      if (!verifier) return show(reply.code(400), null, EXPIRED);
      ask.target.searchParams.set('oauth_verifier', verifier);
    } else {
      permissions.deny(ask.requestToken);
    }
    signedIn.delete(readCookie(request) ?? '');
    return reply.redirect(ask.target.href, 303);
  });
}

type Ask = {
  readonly requestToken: string;
  readonly redirectUri: string;
  readonly target: URL;
  readonly fields: Record<string, unknown>;
};

const EXPIRED = {
  kind: 'message',
  title: 'This request is over',
  text: 'The request for permission has been used or is older than ten minutes. Close this window and start again in the application.',
} as const;

const FOREIGN = {
  kind: 'message',
  title: 'This request cannot be trusted',
  text: 'It would send you back to an address that is not registered here. Close this window and start again in the application.',
} as const;

const COOKIE = 'sandbox_brokerage';
const SIGNED_IN_MAX = 1_000;

function readCookie(request: FastifyRequest): string | null {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([0-9a-f]+)`).exec(request.headers.cookie ?? '')?.[1] ?? null;
}

function show(reply: FastifyReply, target: URL | null, page: AuthorizePage) {
  // A form's answer redirects to the application, which browsers count as a form target too.
  const formTargets = target ? `'self' ${target.origin}` : "'self'";
  return reply
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'self'; form-action ${formTargets}; frame-ancestors 'none'; base-uri 'none'`,
    )
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .send(showAuthorizePage(page));
}

/** Ten wrong passwords close a user name for ten minutes. */
function createAttempts(realNow: () => number) {
  const failures = new Map<string, number[]>();
  const recent = (userName: string) =>
    (failures.get(userName.toLowerCase()) ?? []).filter((at) => realNow() - at < 600_000);
  return {
    allows: (userName: string) => recent(userName).length < 10,
    /** Notes a failure; false when there have been too many. */
    fail(userName: string) {
      const before = recent(userName);
      if (before.length < 10) failures.set(userName.toLowerCase(), [...before, realNow()]);
      return before.length < 10;
    },
  };
}

// The gate of every API path: identifies the caller, checks the signature and the trading session.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdviserAccess } from '../sign-in/adviser.ts';
import { bearerOf } from '../sign-in/adviser-routes.ts';
import { accountIn } from '../faults/occasion.ts';
import type { People, Person } from '../sign-in/people.ts';
import type { Permissions } from '../sign-in/permissions.ts';
import type { OauthCheck } from '../sign-in/oauth-check.ts';
import type { BrokerageSession, ClientSession, Sessions } from './sessions.ts';

type Caller = {
  readonly session: ClientSession;
  /** The owner of the account in the call. */
  readonly person: Person;
  /** All persons whose accounts the caller may act for: the person, or the clients of the adviser. */
  readonly people: readonly Person[];
};

export type Gate = {
  /** The signed-in caller; null after the refusal has been sent. */
  caller(request: FastifyRequest, reply: FastifyReply): Caller | null;
  /** A caller with an open trading session who has requested the account list, or is requesting it now. */
  trader(
    request: FastifyRequest,
    reply: FastifyReply,
    options?: { readonly accountsFirst: boolean },
  ): (Caller & { readonly brokerage: BrokerageSession }) | null;
};

export function createGate(input: {
  readonly people: People;
  readonly permissions: Permissions;
  readonly sessions: Sessions;
  readonly check: OauthCheck;
  readonly adviser: { readonly credential: string; readonly access: AdviserAccess } | null;
}): Gate {
  const { people, permissions, sessions, check, adviser } = input;

  const adviserCaller = (request: FastifyRequest, reply: FastifyReply, bearer: string): Caller | null => {
    if (!adviser?.access.isSession(bearer, request.ip)) {
      refuse(reply, 'Access token expired');
      return null;
    }
    const access = { token: bearer, userName: adviser.credential, secret: Buffer.alloc(0) };
    const session = sessions.of(access);
    const clients = people.list();
    const wanted = accountIn(request.url) ?? session.brokerage?.selectedAccount;
    const person = clients.find(({ accountId }) => accountId === wanted) ?? clients[0];
    if (!person) throw new Error('a brokerage without accounts');
    return { session, person, people: clients };
  };

  const caller: Gate['caller'] = (request, reply) => {
    const bearer = bearerOf(request.headers.authorization);
    if (bearer !== null) return adviserCaller(request, reply, bearer);
    let session: ClientSession | null = null;
    const outcome = check(request, ({ oauth_token: token }) => {
      const access = permissions.findAccess(token ?? '');
      if (!access) return 'invalid access token';
      session = sessions.of(access);
      const liveSessionTokens = sessions.liveTokens(session);
      if (liveSessionTokens.length === 0) return 'Live session token expired';
      return { method: 'HMAC-SHA256', liveSessionTokens };
    });
    if (typeof outcome === 'string') {
      refuse(reply, outcome);
      return null;
    }
    const found = session as ClientSession | null;
    const person = found && people.find(found.access.userName);
    if (!found || !person) throw new Error('a checked request without a person');
    return { session: found, person, people: [person] };
  };

  return {
    caller,
    trader(request, reply, options = { accountsFirst: true }) {
      const who = caller(request, reply);
      if (!who) return null;
      const brokerage = sessions.trading(who.session);
      if (!brokerage) {
        badRequest(reply, 'Bad Request: no bridge');
        return null;
      }
      if (options.accountsFirst && !brokerage.accountsAsked) {
        badRequest(reply, 'Bad Request: Please query /accounts first');
        return null;
      }
      return { ...who, brokerage };
    },
  };
}

export function refuse(reply: FastifyReply, error: string): void {
  void reply.code(401).send({ error: `id: ${reply.request.id}, error: ${error}`, statusCode: 401 });
}

export function badRequest(reply: FastifyReply, error: string): void {
  void reply.code(400).send({ error, statusCode: 400 });
}

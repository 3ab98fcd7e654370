// The door of every API path: who is asking, is it signed, and does the trading session stand.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { People, Person } from './people.ts';
import type { Permissions } from './permissions.ts';
import type { OauthCheck } from './oauth-check.ts';
import type { BrokerageSession, ClientSession, Sessions } from './sessions.ts';

export type Caller = { readonly session: ClientSession; readonly person: Person };

export type Gate = {
  /** The signed-in caller; null after the refusal has been sent. */
  caller(request: FastifyRequest, reply: FastifyReply): Caller | null;
  /** The caller with a standing trading session, and with the account list asked for unless that is what is asked now. */
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
}): Gate {
  const { people, permissions, sessions, check } = input;

  const caller: Gate['caller'] = (request, reply) => {
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
    return { session: found, person };
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

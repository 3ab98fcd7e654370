// The trading session: start, status, tickle, logout, and the account list that must be requested first.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badRequest, type Gate } from './gate.ts';
import type { ClientSession, Sessions } from './sessions.ts';

export function sessionRoutes(app: FastifyInstance, gate: Gate, sessions: Sessions): void {
  app.post('/iserver/auth/ssodh/init', (request, reply) => {
    const who = gate.caller(request, reply);
    if (!who) return reply;
    const body = (request.body ?? {}) as { publish?: unknown; compete?: unknown };
    if (String(body.publish) !== 'true')
      return reply.code(500).send({ error: 'failed to generate sso dh token' });
    const outcome = sessions.start(who.session, String(body.compete) === 'true');
    if (outcome === 'forbidden')
      return reply.code(403).type('application/problem+json').send(JSON.stringify(FORBIDDEN));
    return reply.send(state(outcome));
  });

  const statusOf = (session: ClientSession) => {
    if (sessions.trading(session)) return 'established';
    return sessions.isHeldElsewhere(session.access.userName) ? 'competing' : 'absent';
  };

  const status = (request: FastifyRequest, reply: FastifyReply) => {
    const who = gate.caller(request, reply);
    if (!who) return reply;
    return reply.send(state(statusOf(who.session)));
  };
  app.post('/iserver/auth/status', status);
  app.get('/iserver/auth/status', status);

  const tickle = (request: FastifyRequest, reply: FastifyReply) => {
    const who = gate.caller(request, reply);
    if (!who) return reply;
    who.session.streamToken ??= randomBytes(16).toString('hex');
    const authStatus = state(statusOf(who.session));
    return reply.send({
      session: who.session.streamToken,
      ssoExpires: 460_311,
      collission: false,
      userId: Number(who.person.accountId.slice(2)),
      hmds: { error: 'no bridge' },
      iserver: { authStatus },
    });
  };
  app.post('/tickle', tickle);
  app.get('/tickle', tickle);

  app.post('/logout', (request, reply) => {
    const who = gate.caller(request, reply);
    if (!who) return reply;
    who.session.brokerage = null;
    return reply.send({ status: true });
  });

  app.get('/iserver/accounts', (request, reply) => {
    const who = gate.trader(request, reply, { accountsFirst: false });
    if (!who) return reply;
    who.brokerage.accountsAsked = true;
    const { accountId } = who.person;
    const ids = who.people.map((person) => person.accountId);
    const properties = { hasChildAccounts: false, supportsCashQty: false, supportsFractions: false };
    return reply.send({
      accounts: ids,
      acctProps: Object.fromEntries(ids.map((id) => [id, properties])),
      aliases: Object.fromEntries(ids.map((id) => [id, id])),
      allowFeatures: { allowCrypto: true, allowFXConv: true, allowedAssetTypes: 'STK,CRYPTO,CASH' },
      chartPeriods: {},
      groups: [],
      profiles: [],
      selectedAccount: accountId,
      serverInfo: SERVER_INFO,
      sessionId: who.session.access.token,
      isFt: false,
      isPaper: true,
    });
  });

  app.post('/iserver/account', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    const { acctId } = (request.body ?? {}) as { acctId?: unknown };
    const isOurs = who.people.some(({ accountId }) => accountId === acctId);
    if (!isOurs) return reply.code(500).send({ error: 'Invalid account ID' });
    who.brokerage.selectedAccount = String(acctId);
    return reply.send({ set: true, acctId });
  });

  app.post('/iserver/questions/suppress', (request, reply) => {
    const who = gate.trader(request, reply, { accountsFirst: false });
    if (!who) return reply;
    const { messageIds } = (request.body ?? {}) as { messageIds?: unknown };
    if (!Array.isArray(messageIds) || messageIds.length > 51)
      return badRequest(reply, 'Bad Request: messageIds must list at most 51 ids');
    who.brokerage.suppressed = new Set(messageIds.map(String));
    return reply.send({ status: 'submitted' });
  });

  app.post('/iserver/questions/suppress/reset', (request, reply) => {
    const who = gate.trader(request, reply, { accountsFirst: false });
    if (!who) return reply;
    who.brokerage.suppressed = new Set();
    return reply.send({ status: 'submitted' });
  });
}

function state(outcome: 'established' | 'competing' | 'absent') {
  const stands = outcome === 'established';
  return {
    authenticated: stands,
    established: stands,
    competing: outcome === 'competing',
    connected: stands,
    message: '',
    MAC: '02:00:00:00:00:01',
    serverInfo: SERVER_INFO,
    hardware_info: 'sandbox|02:00:00:00:00:01',
    fail: '',
  };
}

const FORBIDDEN = {
  type: '/simple',
  title: 'Forbidden',
  status: 403,
  detail: 'The permission of this user name does not cover trading',
};

const SERVER_INFO = { serverName: 'Sandbox01', serverVersion: 'Build 10.44.1d, Mar 3, 2026 1:55:32 PM' };

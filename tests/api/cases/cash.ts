import { randomUUID } from 'node:crypto';
import type { cashEndpoints } from '#contract/operations/cash.ts';
import type { TestApp } from '../../support/test-app.ts';
import type { CasesOf } from '../call-case.ts';
import { supportPerson, tradingDeployment } from '../scene.ts';

/** A deployment whose account has 250 dollars more than is known to have come. */
async function unexplained(app: TestApp): Promise<string> {
  const { sent } = await tradingDeployment(app);
  const { rows } = await app.records.pool.query<{ id: string }>(
    `with opened as (
       insert into account_openings (account_id, connection_id, currency, cash_micro, at)
       select c.account_id, c.id, 'USD', 0, now() from deployments d
       join broker_connections c on c.id = d.broker_connection_id where d.id = $1 returning account_id)
     insert into cash_breaks (account_id, currency, unexplained_micro, date)
     select account_id, 'USD', 250000000, '2026-01-08' from opened returning id`,
    [sent.params.id],
  );
  return rows[0]!.id;
}

async function proposing(app: TestApp) {
  const { token } = await supportPerson(app);
  const body = {
    difference: await unexplained(app),
    cause: 'deposit',
    reason: 'the statement shows a transfer',
  };
  return { token, body };
}

type Sent = { token: string; body: object; headers?: Record<string, string> };

const propose = (app: TestApp, { token, body, headers = {} }: Sent) =>
  app.request({ method: 'POST', url: '/api/operations/cash-proposals/', token, body, headers });

const decide = (app: TestApp, id: string, { token, body, headers = {} }: Sent) =>
  app.request({ method: 'POST', url: `/api/operations/cash-proposals/${id}/decide/`, token, body, headers });

async function proposed(app: TestApp) {
  const sent = await proposing(app);
  const { body } = await propose(app, sent);
  const other = await supportPerson(app);
  return { proposer: sent.token, token: other.token, params: { id: body.id as string } };
}

const APPROVE = { decision: 'approve' };
const DECLINE = { decision: 'decline', reason: 'the broker is still looking' };

export const cashCases: CasesOf<typeof cashEndpoints> = {
  proposeCash: {
    success: proposing,
    not_found: async (app) => {
      const { token, body } = await proposing(app);
      return { token, body: { ...body, difference: randomUUID() } };
    },
    already_decided: async (app) => {
      const sent = await proposing(app);
      await app.records.pool.query('update cash_breaks set ended_at = now() where id = $1', [
        sent.body.difference,
      ]);
      return sent;
    },
    already_exists: async (app) => {
      const sent = await proposing(app);
      await propose(app, sent);
      return sent;
    },
    idempotency_conflict: async (app) => {
      const sent = await proposing(app);
      const headers = { 'idempotency-key': randomUUID() };
      await propose(app, { ...sent, headers, body: { ...sent.body, cause: 'interest' } });
      return { ...sent, headers };
    },
  },
  decideCash: {
    success: async (app) => {
      const { token, params } = await proposed(app);
      return { token, params, body: APPROVE };
    },
    forbidden: async (app) => {
      const { proposer, params } = await proposed(app);
      return { token: proposer, params, body: APPROVE };
    },
    already_decided: async (app) => {
      const { token, proposer, params } = await proposed(app);
      await decide(app, params.id, { token: proposer, body: DECLINE });
      return { token, params, body: APPROVE };
    },
    idempotency_conflict: async (app) => {
      const { token, params } = await proposed(app);
      const headers = { 'idempotency-key': randomUUID() };
      await decide(app, params.id, { token, body: DECLINE, headers });
      return { token, params, body: APPROVE, headers };
    },
  },
};

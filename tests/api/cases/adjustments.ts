import { randomUUID } from 'node:crypto';
import type { adjustmentEndpoints } from '#contract/operations/adjustments.ts';
import type { TestApp } from '../../support/test-app.ts';
import type { CasesOf } from '../call-case.ts';
import { supportPerson, tradingDeployment } from '../scene.ts';

/** A deployment whose account holds one share fewer than its books. */
export async function openDifference(app: TestApp) {
  const { sent } = await tradingDeployment(app);
  const { rows } = await app.records.pool.query(
    `insert into reconciliation_breaks (account_id, symbol, ours, external, theirs)
     select c.account_id, p.symbol, p.quantity, 0, p.quantity - 1 from positions p
     join deployments d on d.id = p.deployment_id join broker_connections c on c.id = d.broker_connection_id
     where d.id = $1 order by p.symbol limit 1 returning id, symbol`,
    [sent.params.id],
  );
  return { difference: rows[0].id as string, symbol: rows[0].symbol as string, deployment: sent.params.id };
}

/** A deployment of which its owner has sold one share by hand, at 431. */
export async function soldExternally(app: TestApp) {
  const { sent } = await tradingDeployment(app);
  const { rows } = await app.records.pool.query(
    `insert into reconciliation_breaks (account_id, kind, symbol, ours, external, theirs, units, price, traded_at)
     select c.account_id, 'external_trade', p.symbol, p.quantity, -1, p.quantity - 1, -1, 431, now() from positions p
     join deployments d on d.id = p.deployment_id join broker_connections c on c.id = d.broker_connection_id
     where d.id = $1 order by p.symbol limit 1 returning id, symbol`,
    [sent.params.id],
  );
  return { difference: rows[0].id as string, symbol: rows[0].symbol as string, deployment: sent.params.id };
}

async function proposing(app: TestApp) {
  const { token } = await supportPerson(app);
  const { difference, deployment } = await openDifference(app);
  const body = {
    closes_as: 'adjustment',
    answers: { difference },
    deployment,
    quantity: -1,
    price: 425.5,
    reason: 'the owner moved it to another broker',
  };
  return { token, body };
}

const send = async (
  app: TestApp,
  { token, body, headers = {} }: { token: string; body: object; headers?: Record<string, string> },
) => app.request({ method: 'POST', url: '/api/operations/adjustments/', token, body, headers });

const settled = (app: TestApp, { body }: Awaited<ReturnType<typeof proposing>>) =>
  app.records.pool.query(`update reconciliation_breaks set ended_at = clock_timestamp() where id = $1`, [
    body.answers.difference,
  ]);

export async function proposed(app: TestApp) {
  const sent = await proposing(app);
  const { body } = await send(app, sent);
  const other = await supportPerson(app);
  return { ...sent, proposer: sent.token, token: other.token, params: { id: body.id as string } };
}

const APPROVE = { decision: 'approve' };

export const adjustmentCases: CasesOf<typeof adjustmentEndpoints> = {
  getAdjustmentChoices: {
    success: async (app) => {
      const { token, body } = await proposing(app);
      return { token, query: body.answers };
    },
    not_found: async (app) => ({
      token: (await supportPerson(app)).token,
      query: { difference: randomUUID() },
    }),
    already_decided: async (app) => {
      const sent = await proposing(app);
      await settled(app, sent);
      return { token: sent.token, query: sent.body.answers };
    },
  },
  proposeAdjustment: {
    success: proposing,
    not_found: async (app) => {
      const { token, body } = await proposing(app);
      return { token, body: { ...body, answers: { difference: randomUUID() } } };
    },
    already_decided: async (app) => {
      const sent = await proposing(app);
      await settled(app, sent);
      return sent;
    },
    already_exists: async (app) => {
      const sent = await proposing(app);
      await send(app, sent);
      return sent;
    },
    idempotency_conflict: async (app) => {
      const sent = await proposing(app);
      const headers = { 'idempotency-key': randomUUID() };
      await send(app, { ...sent, headers, body: { ...sent.body, reason: 'it was sold externally' } });
      return { ...sent, headers };
    },
  },
  decideAdjustment: {
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
      await app.request({
        method: 'POST',
        url: `/api/operations/adjustments/${params.id}/decide/`,
        token: proposer,
        body: { decision: 'decline', reason: 'it was a mistake' },
      });
      return { token, params, body: APPROVE };
    },
    idempotency_conflict: async (app) => {
      const { token, params } = await proposed(app);
      const headers = { 'idempotency-key': randomUUID() };
      await app.request({
        method: 'POST',
        url: `/api/operations/adjustments/${params.id}/decide/`,
        token,
        headers,
        body: { decision: 'decline', reason: 'it is sold already' },
      });
      return { token, params, body: APPROVE, headers };
    },
  },
};

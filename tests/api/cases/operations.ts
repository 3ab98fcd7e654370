import { setStatus } from '../../support/deployment-commands.ts';
import { randomUUID } from 'node:crypto';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import type { TestApp } from '../../support/test-app.ts';
import { signedInPerson } from '../../support/test-person.ts';
import { supportPerson, tradingDeployment } from '../scene.ts';
import type { CasesOf } from '../call-case.ts';
import { adjustmentCases } from './adjustments.ts';
import { cashCases } from './cash.ts';
import { incidentProposalCases } from './incident-proposals.ts';
import { incidentCases } from './incidents.ts';
import { sendJobs } from '#records/jobs/send-jobs.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { addDeadLetter } from '../../support/dead-letter.ts';

const ask = async () => ({});

const nobody = async (app: TestApp) => ({ token: (await signedInPerson(app)).token });

/** Each halts another person, so that the cases do not interfere. */
async function halting(app: TestApp) {
  const { token } = await supportPerson(app);
  const target = (await signedInPerson(app)).email;
  const body = { scope: 'client', target, cancels_orders: false, reason: 'prices look wrong.' };
  return { token, body };
}

async function halted(app: TestApp) {
  const { token, body } = await halting(app);
  const { body: made } = await app.request({
    method: 'POST',
    url: '/api/operations/kill-switches/',
    token,
    body,
  });
  return { token, body, params: { id: made.id as string } };
}

async function lifted(app: TestApp) {
  const { token, params } = await halted(app);
  await app.request({ method: 'DELETE', url: `/api/operations/kill-switches/${params.id}/`, token });
  return { token, params };
}

/** An order that was sent and of which no trustworthy answer came. */
export async function unknownOrder(app: TestApp) {
  const { token } = await supportPerson(app);
  const { sent } = await tradingDeployment(app);
  const id = randomUUID();
  const clientOrderId = `order-${id.slice(0, 8)}`;
  await app.records.pool.query(
    `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
       quantity, limit_price, reference_price, status, reason_code, reason_params, reason_since, decided_at, sent_at, unknown_since)
     select $1, d.id, d.broker_connection_id, $2, $2, 'rebalance', 1, 'SPY', 'buy', 3, 430.25, 425, 'unknown',
       'no_answer', null, clock_timestamp(), now(), now(), clock_timestamp()
     from deployments d where d.id = $3`,
    [id, clientOrderId, sent.params.id],
  );
  const confirmation = clientOrderId.slice(-6);
  const body = { verdict: 'never_arrived', reason: 'the broker’s list does not show it', confirmation };
  return { token, params: { id }, body, deploymentId: sent.params.id, clientOrderId };
}

const settling = async (app: TestApp) => {
  const { token, params, body } = await unknownOrder(app);
  return { token, params, body };
};

export async function liquidationRequest(app: TestApp) {
  const { token } = await supportPerson(app);
  const { sent } = await tradingDeployment(app);
  const id = randomUUID();
  await app.records.pool.query(
    'insert into liquidation_requests (id, deployment_id, requested_at) values ($1, $2, now())',
    [id, sent.params.id],
  );
  return { token, params: { id }, deploymentId: sent.params.id };
}

const approving = async (app: TestApp) => {
  const { token, params } = await liquidationRequest(app);
  return { token, params, body: { decision: 'approve' } };
};

const retrying = async (app: TestApp) => {
  const { token } = await supportPerson(app);
  const versionId = randomUUID() as string as StrategyVersionId;
  const id = await addDeadLetter(app.records.database, 'result-renewals', {
    data: { versionId, work: 'renew' },
    key: `renew ${versionId}`,
    output: { code: 'failed', detail: 'no bars' },
  });
  return { token, params: { id }, body: { decision: 'retry' }, versionId };
};

/** The key was used for another body. */
async function repeatedWithAnother<Sent extends { token: string; body: object; params?: { id: string } }>(
  app: TestApp,
  url: (sent: Sent) => string,
  sent: Sent,
  other: object,
) {
  const headers = { 'idempotency-key': randomUUID() };
  const first = { ...sent.body, ...other };
  await app.request({ method: 'POST', url: url(sent), token: sent.token, headers, body: first });
  return { ...sent, headers };
}

export const operationsCases: CasesOf<typeof operationsEndpoints> = {
  getHealth: { success: ask },
  getReadiness: { success: ask },
  getMetrics: { success: ask },
  getDocs: { success: ask },
  getRunbook: { success: ask },
  getOperationsDesk: {
    success: async (app) => {
      await halted(app);
      await liquidationRequest(app);
      return { token: (await unknownOrder(app)).token };
    },
    not_found: nobody,
  },
  setKillSwitch: {
    success: halting,
    not_found: async (app) => {
      const { token, body } = await halting(app);
      return { token, body: { ...body, target: 'nobody@example.test' } };
    },
    already_exists: async (app) => {
      const { token, body } = await halted(app);
      return { token, body };
    },
    idempotency_conflict: async (app) => {
      const sent = await halting(app);
      const url = () => '/api/operations/kill-switches/';
      return repeatedWithAnother(app, url, sent, { reason: 'a quote is late' });
    },
  },
  widenKillSwitch: {
    success: async (app) => {
      const { token, params } = await halted(app);
      return { token, params };
    },
    already_decided: lifted,
  },
  liftKillSwitch: {
    success: async (app) => {
      const { token, params } = await halted(app);
      return { token, params };
    },
  },
  resolveOrder: {
    success: settling,
    already_decided: async (app) => {
      const sent = await settling(app);
      await app.records.pool.query(`update orders set status = 'working' where id = $1`, [sent.params.id]);
      return sent;
    },
    in_use: async (app) => {
      const { token, params, body, deploymentId } = await unknownOrder(app);
      await app.records.pool.query(
        `update orders set broker_order_id = 'B7' where deployment_id = $1 and status = 'filled' and side = 'buy'`,
        [deploymentId],
      );
      return { token, params, body: { ...body, verdict: 'arrived', broker_order_id: 'B7' } };
    },
    idempotency_conflict: async (app) => {
      const sent = await settling(app);
      const url = ({ params }: typeof sent) => `/api/operations/orders/${params.id}/resolve/`;
      return repeatedWithAnother(app, url, sent, { reason: 'another reason' });
    },
  },
  decideLiquidation: {
    success: approving,
    already_decided: async (app) => {
      const sent = await approving(app);
      await app.request({
        method: 'POST',
        url: `/api/operations/liquidation-requests/${sent.params.id}/decide/`,
        token: sent.token,
        body: { decision: 'decline', reason: 'the market is closed' },
      });
      return sent;
    },
    illegal_move: async (app) => {
      const { token, params, deploymentId } = await liquidationRequest(app);
      await setStatus(app.records.pool, deploymentId, 'stopped');
      return { token, params, body: { decision: 'approve' } };
    },
    idempotency_conflict: async (app) => {
      const sent = await approving(app);
      const url = ({ params }: typeof sent) => `/api/operations/liquidation-requests/${params.id}/decide/`;
      return repeatedWithAnother(app, url, sent, { decision: 'decline', reason: 'the market is closed' });
    },
  },
  decideDeadLetter: {
    success: retrying,
    already_decided: async (app) => {
      const sent = await retrying(app);
      const url = `/api/operations/dead-letters/${sent.params.id}/decide/`;
      await app.request({ method: 'POST', url, token: sent.token, body: { decision: 'discard' } });
      return sent;
    },
    illegal_move: async (app) => {
      const { versionId, ...sent } = await retrying(app);
      await sendJobs(app.records.database, 'result-renewals', [
        { data: { versionId, work: 'renew' }, key: `renew ${versionId}` },
      ]);
      return sent;
    },
    idempotency_conflict: async (app) => {
      const sent = await retrying(app);
      const url = ({ params }: typeof sent) => `/api/operations/dead-letters/${params.id}/decide/`;
      return repeatedWithAnother(app, url, sent, { decision: 'discard' });
    },
  },
  ...adjustmentCases,
  ...cashCases,
  ...incidentCases,
  ...incidentProposalCases,
  getTradingHalt: { success: nobody },
  haltTrading: {
    success: async (app) => ({ ...(await nobody(app)), body: { cancels_orders: true } }),
  },
  liftTradingHalt: { success: nobody },
};

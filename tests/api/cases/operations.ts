import { randomUUID } from 'node:crypto';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import type { TestApp } from '../../support/test-app.ts';
import { signedInPerson } from '../../support/test-person.ts';
import { liquidationRequest, supportPerson, tradingDeployment } from '../scene.ts';
import type { CasesOf } from '../call-case.ts';
import { adjustmentCases } from './adjustments.ts';
import { catalogueCases, incidentSubjectCases, proposalCases } from './proposals.ts';
import { clientCases } from './clients.ts';
import { incidentCases } from './incidents.ts';
import { sendJobs } from '#records/jobs/send-jobs.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { giveRole } from '../../support/give-role.ts';
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
  return { token, params: { id }, confirmation, deploymentId: sent.params.id, clientOrderId };
}

const declining = async (app: TestApp) => {
  const { token, params } = await liquidationRequest(app);
  return { token, params, body: { reason: 'the market is closed' } };
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

async function reading(app: TestApp) {
  const person = await signedInPerson(app);
  await giveRole(app.records, person, 'auditor');
  return { token: person.token, query: { person: person.email, kind: 'person' } };
}

export const operationsCases: CasesOf<typeof operationsEndpoints> = {
  getHealth: { success: ask },
  getReadiness: { success: ask },
  getMetrics: { success: ask },
  getDocs: { success: ask },
  getRunbook: { success: ask },
  listAuditLog: { success: reading, not_found: nobody },
  getOperationsDesk: {
    success: async (app) => {
      await halted(app);
      await liquidationRequest(app);
      return { token: (await unknownOrder(app)).token };
    },
    not_found: nobody,
  },
  listClientPayments: {
    success: async (app) => {
      const person = await signedInPerson(app);
      const body = { plan: 'pro', interval: 'monthly' };
      await app.request({ method: 'POST', url: '/api/billing/plan/', token: person.token, body });
      return { token: (await supportPerson(app)).token, query: { client: person.email } };
    },
    not_found: async (app) => ({ ...(await nobody(app)), query: { client: 'a@client.example' } }),
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
  declineLiquidation: {
    success: declining,
    already_decided: async (app) => {
      const sent = await declining(app);
      const url = `/api/operations/liquidation-requests/${sent.params.id}/decline/`;
      await app.request({ method: 'POST', url, token: sent.token, body: { reason: 'not today' } });
      return sent;
    },
    idempotency_conflict: async (app) => {
      const sent = await declining(app);
      const url = ({ params }: typeof sent) => `/api/operations/liquidation-requests/${params.id}/decline/`;
      return repeatedWithAnother(app, url, sent, { reason: 'not today' });
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
  ...incidentCases,
  ...clientCases,
  ...incidentSubjectCases,
  ...proposalCases,
  ...catalogueCases,
  getTradingHalt: { success: nobody },
  haltTrading: {
    success: async (app) => ({ ...(await nobody(app)), body: { cancels_orders: true } }),
  },
  liftTradingHalt: { success: nobody },
};

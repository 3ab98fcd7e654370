import { setStatus } from '../../support/deployment-commands.ts';
import { randomUUID } from 'node:crypto';
import { PRACTICE_MAX } from '#rules/deployments/practice.ts';
import type { deploymentsEndpoints } from '../../../src/contract/deployments.ts';
import { cashOf, reportCash, type TestApp } from '../../support/test-app.ts';
import { sellRest } from '../../support/test-trading.ts';
import { unpaidFee } from '../../support/unpaid-fee.ts';
import type { CallCase, CasesOf } from '../call-case.ts';
import { belowRecord, expected } from './expected-range.ts';
import { queued } from './queued.ts';
import { flowsCases } from './flows.ts';
import { endedDeployment, order, tradingDeployment, waitingDeployment } from '../scene.ts';

type Ordered = Awaited<ReturnType<typeof order>>;

/** Deploying after one thing was changed that it needs. */
const deployAfter =
  (
    spoil: (ordered: Ordered, app: TestApp) => Promise<unknown>,
    ...terms: Parameters<typeof order> extends [unknown, ...infer Rest] ? Rest : never
  ): CallCase =>
  async (app) => {
    const ordered = await order(app, ...terms);
    const { person, body } = ordered;
    const changed = (await spoil(ordered, app)) as object | undefined;
    return { token: person.token, body: { ...body, ...changed } };
  };

const statement =
  (text: string) =>
  async ({ person }: Ordered, { records }: TestApp): Promise<void> => {
    await records.pool.query(text, [person.id]);
  };

const deploying = {
  success: deployAfter(async () => undefined),
  not_found: deployAfter(async () => ({ strategy: randomUUID() })),
  below_minimum: deployAfter(async () => ({ investment_amount: 10 })),
  out_of_range: deployAfter(async () => ({ stop_loss_percentage: 99 })),
  risk_profile_missing: deployAfter(statement('delete from risk_profiles where user_id = $1')),
  unsuitable: deployAfter(statement('update risk_profiles set risk_score = 1 where user_id = $1')),
  not_eligible: deployAfter(statement('update users set country = null where id = $1')),
  agreement_unsigned: deployAfter(statement('delete from agreements where user_id = $1')),
  fee_unpaid: deployAfter(async ({ person, body }, app) => {
    const made = await app.request({ method: 'POST', url: '/api/deployments/', token: person.token, body });
    await unpaidFee(app.records, made.body.id as string, { daysAgo: 20 });
  }),
  strategy_unavailable: deployAfter(async ({ body }, { records }) => {
    await records.pool.query(`update strategies set status = 'retired' where id = $1`, [body.strategy]);
  }),
  connection_inactive: deployAfter(
    statement(`update broker_connections set status = 'revoked' where user_id = $1`),
  ),
  market_unsupported: deployAfter(async () => undefined, { kind: 'futures' }),
  insufficient_cash: deployAfter((_, app) => reportCash(app, cashOf(1))),
  plan_limit: deployAfter(async ({ person }, { request }) => {
    const body = { plan: 'free', interval: 'monthly' };
    await request({ method: 'POST', url: '/api/billing/plan/', token: person.token, body });
  }),
};

/** Practising after one thing was changed that it needs. */
const practiseAfter =
  (spoil: (ordered: Ordered, app: TestApp) => Promise<unknown>): CallCase =>
  async (app) => {
    const ordered = await order(app);
    const changed = (await spoil(ordered, app)) as object | undefined;
    return { token: ordered.person.token, body: { ...practiceOf(ordered), ...changed } };
  };

function practiceOf({ body }: Ordered) {
  const { broker_connection: _, ...practice } = body;
  return practice;
}

const practising = {
  success: practiseAfter(statement('delete from agreements where user_id = $1')),
  not_found: practiseAfter(async () => ({ strategy: randomUUID() })),
  below_minimum: practiseAfter(async () => ({ investment_amount: 10 })),
  out_of_range: practiseAfter(async () => ({ stop_loss_percentage: 99 })),
  risk_profile_missing: practiseAfter(statement('delete from risk_profiles where user_id = $1')),
  unsuitable: practiseAfter(statement('update risk_profiles set risk_score = 1 where user_id = $1')),
  strategy_unavailable: practiseAfter(async ({ body }, { records }) => {
    await records.pool.query(`update strategies set status = 'retired' where id = $1`, [body.strategy]);
  }),
  practice_limit: practiseAfter(async (ordered, app) => {
    for (let running = 0; running < PRACTICE_MAX; running++) await practise(app, ordered);
  }),
  idempotency_conflict: async (app: TestApp) => {
    const ordered = await order(app);
    const headers = { 'idempotency-key': randomUUID() };
    await practise(app, ordered, headers);
    const body = { ...practiceOf(ordered), investment_amount: 11_000 };
    return { token: ordered.person.token, body, headers };
  },
};

async function practise(
  app: TestApp,
  ordered: Ordered,
  headers: Record<string, string> = {},
): Promise<string> {
  const { token } = ordered.person;
  const url = '/api/practice-deployments/';
  const made = await app.request({ method: 'POST', url, token, body: practiceOf(ordered), headers });
  return made.body.id as string;
}

/** Promoting a practice deployment after one thing was changed that it needs. */
const promoteAfter =
  (
    spoil: (ordered: Ordered & { readonly id: string }, app: TestApp) => Promise<unknown>,
    practice: 'shadow' | 'end' = 'shadow',
  ): CallCase =>
  async (app) => {
    const ordered = await order(app);
    const id = await practise(app, ordered);
    const changed = (await spoil({ ...ordered, id }, app)) as object | undefined;
    const body = { broker_connection: ordered.body.broker_connection, practice };
    return { token: ordered.person.token, params: { id }, body, ...changed };
  };

const ofDeployment =
  (text: string) =>
  async ({ id }: { readonly id: string }, { records }: TestApp): Promise<void> => {
    await records.pool.query(text, [id]);
  };

const ofStrategy =
  (change: string) =>
  async ({ body }: Ordered, { records }: TestApp): Promise<void> => {
    await records.pool.query(`update strategies set ${change} where id = $1`, [body.strategy]);
  };

const promoting = {
  success: promoteAfter(async () => undefined),
  illegal_move: promoteAfter(async (ordered, app) => {
    const { token } = ordered.person;
    const url = `/api/deployments/${ordered.id}/promote/`;
    const body = { broker_connection: ordered.body.broker_connection, practice: 'shadow' };
    await app.request({ method: 'POST', url, token, body });
  }),
  not_found: promoteAfter(async () => ({ params: { id: randomUUID() } })),
  below_minimum: promoteAfter(ofStrategy('min_investment_micro = 20000000000')),
  out_of_range: promoteAfter(ofDeployment('update deployments set stop_loss_percentage = 99 where id = $1')),
  risk_profile_missing: promoteAfter(statement('delete from risk_profiles where user_id = $1')),
  unsuitable: promoteAfter(statement('update risk_profiles set risk_score = 1 where user_id = $1')),
  not_eligible: promoteAfter(statement('update users set country = null where id = $1')),
  agreement_unsigned: promoteAfter(statement('delete from agreements where user_id = $1')),
  fee_unpaid: promoteAfter(async ({ id }, app) => {
    await unpaidFee(app.records, id, { daysAgo: 20 });
  }),
  strategy_unavailable: promoteAfter(ofStrategy(`status = 'retired'`)),
  connection_inactive: promoteAfter(
    statement(`update broker_connections set status = 'revoked' where user_id = $1 and mode = 'real'`),
  ),
  market_unsupported: promoteAfter(ofStrategy(`kind = 'futures'`)),
  insufficient_cash: promoteAfter((_, app) => reportCash(app, cashOf(1))),
  plan_limit: promoteAfter(async ({ person }, { request }) => {
    const body = { plan: 'free', interval: 'monthly' };
    await request({ method: 'POST', url: '/api/billing/plan/', token: person.token, body });
  }),
  idempotency_conflict: promoteAfter(async (ordered, app) => {
    const { token } = ordered.person;
    const headers = { 'idempotency-key': randomUUID() };
    const url = `/api/deployments/${ordered.id}/promote/`;
    const body = { broker_connection: ordered.body.broker_connection, practice: 'end' };
    await app.request({ method: 'POST', url, token, body, headers });
    return { headers };
  }),
};

/** A key that was used for another order. */
const usedKey =
  (url: string): CallCase =>
  async (app) => {
    const { person, body } = await order(app);
    const headers = { 'idempotency-key': randomUUID() };
    await app.request({ method: 'POST', url, token: person.token, body, headers });
    return { token: person.token, body: { ...body, investment_amount: 11_000 }, headers };
  };

/** A key that was used for another deployment: the paths are the same but for the id. */
const usedKeyElsewhere =
  (move: string): CallCase =>
  async (app) => {
    const { sent } = await tradingDeployment(app);
    const headers = { 'idempotency-key': randomUUID() };
    const url = `/api/deployments/${randomUUID()}/${move}/`;
    await app.request({ method: 'POST', url, token: sent.token, headers });
    return { ...sent, headers };
  };

const trading: CallCase = async (app) => (await tradingDeployment(app)).sent;
/** Nothing of its position is left. */
const sold: CallCase = async (app) => {
  const sent = await trading(app);
  await sellRest(app, String(sent.params?.id));
  return sent;
};
const waiting: CallCase = async (app) => (await waitingDeployment(app)).sent;
const ended: CallCase = async (app) => (await endedDeployment(app)).sent;

/** Resuming what was paused, after one thing was changed that it needs. */
const resumeAfter =
  (text: string): CallCase =>
  async (app) => {
    const { person, sent } = await tradingDeployment(app);
    await setStatus(app.records.pool, sent.params.id, 'paused');
    await app.records.pool.query(text, [person.id]);
    return sent;
  };

const settings = {
  success: async (app: TestApp) => ({ ...(await trading(app)), body: { stop_loss_percentage: 12 } }),
  illegal_move: async (app: TestApp) => ({ ...(await ended(app)), body: { stop_loss_percentage: 12 } }),
  out_of_range: async (app: TestApp) => ({ ...(await trading(app)), body: { stop_loss_percentage: 99 } }),
};

/** What its strategy asked for at a close was not ordered in full. */
const decided: CallCase = async (app) => {
  const { sent } = await tradingDeployment(app);
  const { pool } = app.records;
  const close = '2026-01-07T21:00:00Z';
  const target = randomUUID();
  await pool.query(
    `insert into targets (id, strategy_version_id, as_of, weights, rebalance, turn, receipt, hash)
     select $2, strategy_version_id, $3, '[{"symbol":"SPY","weight":0.25}]', true, 1, $4, 'f00d' from deployments where id = $1
     on conflict do nothing`,
    [
      sent.params.id,
      target,
      close,
      JSON.stringify({ definitionHash: 'f00d', engine: null, instruments: [EVALUATED] }),
    ],
  );
  const { rows } = await pool.query(
    `insert into receipts (deployment_id, target_id, at, cause, refusals, decision)
     select d.id, t.id, $2, 'target', $3, $4 from deployments d
     join targets t on t.strategy_version_id = d.strategy_version_id and t.as_of = $2 where d.id = $1 returning id::text`,
    [
      sent.params.id,
      close,
      JSON.stringify([{ symbol: 'SPY', code: 'max_allocation', limitPercent: 20, askedPercent: 25 }]),
      JSON.stringify(FOUND),
    ],
  );
  return { ...sent, params: { ...sent.params, decision: rows[0].id } };
};

const CLOSE = Date.parse('2026-01-07T21:00:00Z');
const EVALUATED = {
  symbol: 'SPY',
  barClosedAt: CLOSE,
  close: 450,
  features: {},
  weight: 0.25,
  weightBefore: 0,
  verdict: 'entered_long',
  decidedAt: CLOSE,
  reasons: [
    {
      code: 'signal',
      signal: 'enterLong',
      holds: true,
      tests: [{ op: 'above', left: 'close', right: 400, leftValue: 450, rightValue: 400, holds: true }],
      at: CLOSE,
    },
  ],
};
const FOUND = {
  permission: 'full',
  allowsShort: false,
  limits: { stopLossPercentage: 10, maxAllocationPercent: 20, freezeOnDrawdownPercent: 25 },
  cash: 7_798_000_000,
  realized: 198_000_000,
  peakEquity: 10_408_000_000,
  sizings: [
    {
      symbol: 'SPY',
      mark: 450,
      held: 600_000_000,
      cost: 2_400_000_000,
      asked: 0.25,
      allowed: 0.2,
      desired: 400_000_000,
    },
  ],
};

export const deploymentsCases: CasesOf<typeof deploymentsEndpoints> = {
  listDeployments: { success: async (app) => ({ token: (await trading(app)).token! }) },
  createDeployment: { ...deploying, idempotency_conflict: usedKey('/api/deployments/') },
  deployStrategy: { ...deploying, idempotency_conflict: usedKey('/api/strategies/deploy/') },
  createPracticeDeployment: practising,
  promoteDeployment: promoting,
  compareShadow: {
    success: async (app) => {
      const promoted = await promoting.success(app);
      const { id } = promoted.params as { id: string };
      const url = `/api/deployments/${id}/promote/`;
      const { token, body } = promoted;
      await app.request({ method: 'POST', url, token: token!, body });
      return { token, params: { id } };
    },
  },
  getReturnBridge: { success: trading },
  getDeployment: { success: trading },
  changeDeployment: settings,
  changeDeploymentSettings: settings,
  removeDeployment: { success: waiting, illegal_move: trading },
  pauseDeployment: {
    success: trading,
    illegal_move: ended,
    idempotency_conflict: usedKeyElsewhere('pause'),
  },
  resumeDeployment: {
    success: resumeAfter('select $1::uuid'),
    illegal_move: ended,
    risk_profile_missing: resumeAfter('delete from risk_profiles where user_id = $1'),
    unsuitable: resumeAfter('update risk_profiles set risk_score = 1 where user_id = $1'),
    not_eligible: resumeAfter('update users set country = null where id = $1'),
    agreement_unsigned: resumeAfter('delete from agreements where user_id = $1'),
    fee_unpaid: async (app) => {
      const sent = await resumeAfter('select $1::uuid')(app);
      await unpaidFee(app.records, sent.params!['id']!, { daysAgo: 20 });
      return sent;
    },
    connection_inactive: resumeAfter(`update broker_connections set status = 'revoked' where user_id = $1`),
    market_unsupported: resumeAfter(
      `update strategies set kind = 'futures' where id in (select strategy_id from deployments where user_id = $1)`,
    ),
    plan_limit: resumeAfter(
      `insert into subscriptions (user_id, plan, billing_interval, chosen_at, period_price_micro)
       values ($1, 'free', 'monthly', now(), 0)`,
    ),
    idempotency_conflict: usedKeyElsewhere('resume'),
  },
  stopDeployment: {
    success: trading,
    illegal_move: ended,
    idempotency_conflict: usedKeyElsewhere('stop'),
  },
  liquidateDeployment: {
    success: trading,
    illegal_move: ended,
    idempotency_conflict: usedKeyElsewhere('liquidate'),
  },
  withdrawLiquidation: {
    success: trading,
    already_decided: async (app) => {
      const sent = await trading(app);
      await app.records.pool.query(`update deployments set requested_status = 'liquidated' where id = $1`, [
        sent.params?.id,
      ]);
      return sent;
    },
  },
  ...flowsCases,
  getDeploymentPerformance: {
    success: async (app) => ({ ...(await trading(app)), query: { timeframe: '1W' } }),
  },
  getExpectedRange: { success: expected },
  downloadExpectedRange: { success: expected },
  acknowledgeTripwire: {
    success: belowRecord,
    illegal_move: ended,
    idempotency_conflict: usedKeyElsewhere('acknowledge'),
  },
  listDeploymentPositions: { success: trading },
  listDeploymentTrades: { success: async (app) => ({ ...(await trading(app)), query: { limit: '10' } }) },
  downloadDeploymentTrades: { success: trading },
  listClosedTrades: { success: async (app) => ({ ...(await sold(app)), query: { limit: '10' } }) },
  downloadClosedTrades: { success: sold },
  listDeploymentCash: {
    success: async (app) => ({ ...(await trading(app)), query: { before: '1000000', limit: '20' } }),
  },
  downloadDeploymentCash: { success: trading },
  listDeploymentDecisions: {
    success: async (app) => {
      const sent = await decided(app);
      const { id } = sent.params!;
      return { ...sent, params: { id: id! }, query: { before: '2030-01-01T00:00:00.000Z~d0', limit: '5' } };
    },
  },
  getDeploymentDecision: { success: decided },
  getDecisionInputs: { success: decided },
  getDecisionBars: { success: decided },
  getNextDecision: { success: trading },
  getDeploymentPlace: { success: queued },
};

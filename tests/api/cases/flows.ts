import { randomUUID } from 'node:crypto';
import type { flowsEndpoints } from '../../../src/contract/deployment-flows.ts';
import { cashOf, reportCash, type TestApp } from '../../support/test-app.ts';
import { unpaidFee } from '../../support/unpaid-fee.ts';
import type { CallCase, CasesOf } from '../call-case.ts';
import { endedDeployment, tradingDeployment } from '../scene.ts';

const DEPOSIT = { kind: 'deposit', amount: 250 } as const;

type Scene = { readonly id: string; readonly userId: string; readonly token: string };

/** Adding money after one thing was changed that it needs. */
const addAfter =
  (spoil: (scene: Scene, app: TestApp) => Promise<unknown>): CallCase =>
  async (app) => {
    const { person, sent } = await tradingDeployment(app);
    const scene = { id: sent.params.id, userId: person.id, token: person.token };
    const changed = (await spoil(scene, app)) as object | undefined;
    return { ...sent, body: DEPOSIT, ...changed };
  };

const ofPerson =
  (text: string) =>
  async ({ userId }: Scene, { records }: TestApp): Promise<void> => {
    await records.pool.query(text, [userId]);
  };

const ofStrategy =
  (change: string) =>
  async ({ id }: Scene, { records }: TestApp): Promise<void> => {
    await records.pool.query(
      `update strategies set ${change} where id = (select strategy_id from deployments where id = $1)`,
      [id],
    );
  };

const ask = async ({ id, token }: Scene, app: TestApp, more: object = {}): Promise<string> => {
  const url = `/api/deployments/${id}/flows/`;
  const made = await app.request({ method: 'POST', url, token, body: DEPOSIT, ...more });
  return made.body.id as string;
};

const pending: CallCase = addAfter(async (scene, app) => {
  const flow = await ask(scene, app);
  return { params: { id: scene.id, flow }, body: undefined };
});

export const flowsCases: CasesOf<typeof flowsEndpoints> = {
  listFlows: {
    success: addAfter(async (scene, app) => {
      await ask(scene, app);
      return { body: undefined };
    }),
  },
  requestFlow: {
    success: addAfter(async () => undefined),
    illegal_move: async (app) => ({ ...(await endedDeployment(app)).sent, body: DEPOSIT }),
    below_minimum: addAfter(async () => ({ body: { kind: 'withdrawal', amount: 9_999 } })),
    out_of_range: addAfter(async () => ({ body: { kind: 'deposit', amount: 1 } })),
    risk_profile_missing: addAfter(ofPerson('delete from risk_profiles where user_id = $1')),
    unsuitable: addAfter(ofPerson('update risk_profiles set risk_score = 1 where user_id = $1')),
    not_eligible: addAfter(ofPerson('update users set country = null where id = $1')),
    agreement_unsigned: addAfter(ofPerson('delete from agreements where user_id = $1')),
    fee_unpaid: addAfter(async ({ id }, app) => {
      await unpaidFee(app.records, id, { daysAgo: 20 });
    }),
    strategy_unavailable: addAfter(ofStrategy(`status = 'retired'`)),
    connection_inactive: addAfter(
      ofPerson(`update broker_connections set status = 'revoked' where user_id = $1 and mode = 'real'`),
    ),
    market_unsupported: addAfter(ofStrategy(`kind = 'futures'`)),
    insufficient_cash: addAfter((_, app) => reportCash(app, cashOf(1))),
    plan_limit: addAfter(
      ofPerson(`insert into subscriptions (user_id, plan, billing_interval, chosen_at, period_price_micro)
        values ($1, 'free', 'monthly', now(), 0)`),
    ),
    idempotency_conflict: addAfter(async (scene, app) => {
      const headers = { 'idempotency-key': randomUUID() };
      await ask(scene, app, { headers });
      return { headers, body: { ...DEPOSIT, amount: 300 } };
    }),
  },
  cancelFlow: {
    success: pending,
    already_decided: addAfter(async (scene, app) => {
      const flow = await ask(scene, app);
      await app.records.pool.query(
        `update deployment_flows set status = 'refused', reason_code = 'cash_not_enough', ended_at = now() where id = $1`,
        [flow],
      );
      return { params: { id: scene.id, flow }, body: undefined };
    }),
  },
};

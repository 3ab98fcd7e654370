import { randomUUID } from 'node:crypto';
import type { backtestsEndpoints } from '#contract/strategies/backtests.ts';
import { saveAttack } from '#records/results/attacks.ts';
import type { BacktestJobId, StrategyVersionId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import type { TestApp } from '../../support/test-app.ts';
import type { CasesOf } from '../call-case.ts';
import { measuredDraft } from '../scene.ts';

async function draft(app: TestApp) {
  const { person, id } = await measuredDraft(app);
  return { token: person.token, params: { id } };
}

async function asked(app: TestApp) {
  const { token, params } = await draft(app);
  const url = `/api/strategies/${params.id}/backtests/`;
  const { body } = await app.request({ method: 'POST', url, token, body: { kind: 'backtest' } });
  return { token, params: { id: body.id as string } };
}

/** A verdict is a row here. */
async function attacked(app: TestApp) {
  const { token, params } = await draft(app);
  const { rows } = await app.records.pool.query<{ id: StrategyVersionId }>(
    'select id from strategy_versions where strategy_id = $1',
    [params.id],
  );
  const results = [
    { code: 'luck', outcome: 'failed', figure: 0.42, threshold: 0.95 },
    { code: 'double_costs', outcome: 'survived', figure: 0.87, threshold: 0.5 },
    { code: 'crises', outcome: 'not_run', reason: 'simulated_prices' },
  ] as const;
  await saveAttack(app.records.database, randomUUID() as string as BacktestJobId, {
    versionId: rows[0]!.id,
    definitionHash: 'h',
    engineHash: 'e',
    dataHash: 'd',
    verdict: 'do_not_deploy',
    results,
    tries: 31,
    at: instant(Date.UTC(2026, 0, 2)),
  });
  return { token, params };
}

const parameters = [{ path: 'no.such.number', values: [1, 2] }];

export const backtestsCases: CasesOf<typeof backtestsEndpoints> = {
  createBacktest: {
    success: async (app) => ({ ...(await draft(app)), body: { kind: 'backtest' } }),
    definition_invalid: async (app) => ({ ...(await draft(app)), body: { kind: 'sweep', parameters } }),
    out_of_range: async (app) => ({ ...(await draft(app)), body: { kind: 'backtest', parameters } }),
    idempotency_conflict: async (app) => {
      const { token, params } = await draft(app);
      const headers = { 'idempotency-key': randomUUID() };
      const url = `/api/strategies/${params.id}/backtests/`;
      await app.request({ method: 'POST', url, token, body: { kind: 'backtest' }, headers });
      return { token, params, headers, body: { kind: 'sweep', parameters } };
    },
  },
  listBacktests: { success: draft },
  getAttack: { success: attacked },
  acceptVerdict: {
    success: async (app) => ({ ...(await attacked(app)), body: { verdict: 'do_not_deploy', name: 'Ada' } }),
    illegal_move: async (app) => ({ ...(await draft(app)), body: { verdict: 'withstood', name: 'Ada' } }),
    out_of_range: async (app) => ({
      ...(await attacked(app)),
      body: { verdict: 'do_not_deploy', name: 'Somebody Else' },
    }),
  },
  getBacktest: { success: asked },
  cancelBacktest: { success: asked },
};

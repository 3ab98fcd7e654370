import { randomUUID } from 'node:crypto';
import type { backtestsEndpoints } from '#contract/strategies/backtests.ts';
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
  getBacktest: { success: asked },
  cancelBacktest: { success: asked },
};

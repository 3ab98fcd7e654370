import { randomUUID } from 'node:crypto';
import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import type { TestApp } from '../../support/test-app.ts';
import { signedInPerson } from '../../support/test-person.ts';
import type { CasesOf } from '../call-case.ts';
import { listInstruments } from '../scene.ts';

const BUILDER = '/api/strategies/builder/';
const CONTROLS = {
  mode: 'ui',
  asset_class: 'equity',
  risk_level: 'medium',
  max_drawdown: 15,
  target_return: 20,
  minimum_investment: 10_000,
};

async function builder(app: TestApp) {
  await listInstruments(app);
  return { token: (await signedInPerson(app)).token };
}

async function built(app: TestApp) {
  const { token } = await builder(app);
  const { body } = await app.request({ method: 'POST', url: BUILDER, token, body: CONTROLS });
  return { token, params: { id: body.draft.id as string } };
}

export const strategyBuilderCases: CasesOf<typeof strategyBuilderEndpoints> = {
  listBuilderInstruments: { success: builder },
  buildStrategy: {
    success: async (app) => ({ ...(await builder(app)), body: CONTROLS }),
    plan_limit: async (app) => {
      const { token } = await builder(app);
      const free = { plan: 'free', interval: 'monthly' };
      await app.request({ method: 'POST', url: '/api/billing/plan/', token, body: free });
      return { token, body: CONTROLS };
    },
    // No currency is listed in this database.
    definition_invalid: async (app) => ({
      ...(await builder(app)),
      body: { ...CONTROLS, asset_class: 'forex' },
    }),
    description_unclear: async (app) => ({
      ...(await builder(app)),
      body: { mode: 'ai', description: 'Make me rich' },
    }),
    idempotency_conflict: async (app) => {
      const { token } = await builder(app);
      const headers = { 'idempotency-key': randomUUID() };
      await app.request({ method: 'POST', url: BUILDER, token, body: CONTROLS, headers });
      return { token, headers, body: { ...CONTROLS, risk_level: 'low' } };
    },
  },
  tuneStrategy: {
    success: async (app) => ({ ...(await built(app)), body: { values: { gross: 0.5 } } }),
    definition_invalid: async (app) => ({
      ...(await built(app)),
      body: { values: { 'no.such.number': 1 } },
    }),
  },
};

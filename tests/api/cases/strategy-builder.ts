import { randomUUID } from 'node:crypto';
import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import { DRAFT_VERSIONS_MAX } from '#rules/strategies/draft-limits.ts';
import type { TestApp } from '../../support/test-app.ts';
import { readyPerson, signedInPerson } from '../../support/test-person.ts';
import { publishedStrategy } from '../../support/test-strategy.ts';
import type { CasesOf } from '../call-case.ts';
import { DRAFT, listInstruments } from '../scene.ts';

const BUILDER = '/api/strategies/builder/';
const CONTROLS = {
  mode: 'ui',
  asset_class: 'equity',
  risk_level: 'medium',
  max_drawdown: 15,
  target_return: 20,
  minimum_investment: 10_000,
};

const terms = (strategy: string) => ({
  strategy,
  investment_amount: 10_000,
  stop_loss_percentage: 10,
  max_allocation_per_trade: 20,
  freeze_on_drawdown: 25,
});

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
    // Its writer practises it: the rules stay as they are.
    in_use: async (app) => {
      await listInstruments(app);
      const { id, token } = await readyPerson(app);
      const strategy = await publishedStrategy(app, {
        owner: id,
        definition: JSON.parse(DRAFT.definition) as object,
      });
      await app.request({ method: 'POST', url: '/api/practice-deployments/', token, body: terms(strategy) });
      return { token, params: { id: strategy }, body: { values: { 'rule.enterLong.right': 31 } } };
    },
    draft_limit: async (app) => {
      const { token, params } = await built(app);
      await app.records.pool.query('update strategy_versions set number = $2 where strategy_id = $1', [
        params.id,
        DRAFT_VERSIONS_MAX,
      ]);
      return { token, params, body: { values: { gross: 0.5 } } };
    },
  },
};

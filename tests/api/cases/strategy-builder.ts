import { randomUUID } from 'node:crypto';
import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import { DRAFT_VERSIONS_MAX } from '#rules/strategies/draft-limits.ts';
import type { TestApp } from '../../support/test-app.ts';
import { answers, proposal, scriptedModel } from '../../support/scripted-model.ts';
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

const WORDS = { description: 'Hold AAA while it is above its 50-day average' };

/** A language model that proposes what the words say; `script` null: none. */
function setModel(app: TestApp, has: 'model' | 'none'): void {
  const model = scriptedModel();
  model.script = [answers(proposal({ instruments: ['AAA'] }))];
  Object.assign(app.dependencies, { languageModel: has === 'none' ? null : model.languageModel });
}

async function withModel(app: TestApp) {
  setModel(app, 'model');
  return builder(app);
}

async function readByModel(app: TestApp) {
  const { token } = await withModel(app);
  const url = `${BUILDER}readings/`;
  const { body } = await app.request({ method: 'POST', url, token, body: WORDS });
  return { token, params: { id: body.id as string } };
}

async function describedDraft(app: TestApp) {
  const { token, params } = await readByModel(app);
  const body = { mode: 'ai', ...WORDS, reading: params.id };
  const made = await app.request({ method: 'POST', url: BUILDER, token, body });
  return { token, params: { id: made.body.draft.id as string } };
}

/** Its proposal names an instrument that is no longer listed. */
async function outdatedReading(app: TestApp, token: string): Promise<string> {
  const { body: me } = await app.request({ url: '/api/auth/me/', token });
  const id = randomUUID();
  await app.records.pool.query(
    `insert into model_readings (id, user_id, conversation, read_by, vendor, model, is_stand_in, prompt_hash, proposal, created_at)
     values ($1, $2, $3, 'model', 'anthropic', 'stand-in', true, '', $4, now())`,
    [
      id,
      me.id,
      JSON.stringify({ messages: [WORDS.description], answers: [] }),
      JSON.stringify(proposal({ instruments: ['GONE'] })),
    ],
  );
  return id;
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
  getBuilderModel: { success: withModel },
  createBuilderReading: {
    success: async (app) => ({ ...(await withModel(app)), body: WORDS }),
    plan_limit: async (app) => {
      const { token } = await withModel(app);
      const free = { plan: 'free', interval: 'monthly' };
      await app.request({ method: 'POST', url: '/api/billing/plan/', token, body: free });
      return { token, body: WORDS };
    },
    description_unclear: async (app) => ({ ...(await withModel(app)), body: { description: ' ' } }),
    not_found: async (app) => {
      setModel(app, 'none');
      return { ...(await builder(app)), body: WORDS };
    },
  },
  getBuilderReading: { success: readByModel },
  listDraftWords: { success: describedDraft },
  listDraftVersions: { success: describedDraft },
  reviseStrategy: {
    success: async (app) => ({
      ...(await describedDraft(app)),
      body: { ...WORDS, further: ['make it weekly'] },
    }),
    description_unclear: async (app) => ({
      ...(await describedDraft(app)),
      body: { description: 'Make me rich' },
    }),
    definition_invalid: async (app) => {
      const { token, params } = await describedDraft(app);
      return { token, params, body: { ...WORDS, reading: await outdatedReading(app, token) } };
    },
    // Its writer practises it.
    in_use: async (app) => {
      await listInstruments(app);
      const { id, token } = await readyPerson(app);
      const strategy = await publishedStrategy(app, {
        owner: id,
        definition: JSON.parse(DRAFT.definition) as object,
      });
      await app.request({ method: 'POST', url: '/api/practice-deployments/', token, body: terms(strategy) });
      return { token, params: { id: strategy }, body: WORDS };
    },
    draft_limit: async (app) => {
      const { token, params } = await describedDraft(app);
      await app.records.pool.query('update strategy_versions set number = $2 where strategy_id = $1', [
        params.id,
        DRAFT_VERSIONS_MAX,
      ]);
      return { token, params, body: { ...WORDS, further: ['make it weekly'] } };
    },
  },
};

import type { strategyDraftEndpoints } from '#contract/strategies/strategy-drafts.ts';
import { DRAFT_VERSIONS_MAX, DRAFTS_MAX } from '#rules/strategies/draft-limits.ts';
import type { TestApp } from '../../support/test-app.ts';
import { signedInPerson, type TestPerson } from '../../support/test-person.ts';
import { publishedStrategy } from '../../support/test-strategy.ts';
import type { CasesOf, Sent } from '../call-case.ts';
import { DRAFT, listInstruments, staffMember } from '../scene.ts';
import { prepare } from '../send.ts';
import { EVERY_ENDPOINT } from '../../../src/contract/every-endpoint.ts';

const NO_PICTURE = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');

async function writing(app: TestApp, change: Sent['form'] = {}) {
  await listInstruments(app);
  return { token: (await signedInPerson(app)).token, form: { ...DRAFT, ...change } };
}

async function written(app: TestApp, person?: TestPerson) {
  const { token, form } = await writing(app);
  const writer = person?.token ?? token;
  const prepared = await prepare(EVERY_ENDPOINT.createStrategy, { token: writer, form });
  const { body } = await app.request(prepared);
  return { token: writer, params: { id: body.id as string } };
}

/** As many drafts as one person may have. */
async function fillDrafts(app: TestApp, person: string): Promise<void> {
  await app.records.pool.query(
    `insert into strategies (id, slug, owner_id, name, short_description, description, kind, strategy_type, market, risk_level,
       risk_score, min_investment_micro, status)
     select id, id::text, $1, 'Mine', '', '', 'equity', 'momentum', 'us', 'low', 1, 1, 'draft'
     from (select gen_random_uuid() as id from generate_series(1, $2::int)) made`,
    [person, DRAFTS_MAX],
  );
}

/** The picture of a strategy as rows: the bytes are anything here. */
async function pictured(app: TestApp) {
  const id = await publishedStrategy(app);
  await app.records.pool.query(
    `insert into strategy_thumbnails (strategy_id, webp, hash) values ($1, 'RIFF', 'abc')`,
    [id],
  );
  return { params: { id, hash: 'abc' } };
}

export const strategyDraftsCases: CasesOf<typeof strategyDraftEndpoints> = {
  listStrategyDrafts: { success: async (app) => ({ token: (await written(app)).token }) },
  createStrategy: {
    success: (app) => writing(app),
    definition_invalid: (app) => writing(app, { definition: '{"name":"nothing else"}' }),
    image_invalid: (app) => writing(app, { thumbnail: NO_PICTURE }),
    draft_limit: async (app) => {
      const sent = await writing(app);
      await fillDrafts(app, (await app.request({ url: '/api/auth/me/', token: sent.token })).body.id);
      return sent;
    },
  },
  changeStrategy: {
    success: async (app) => ({ ...(await written(app)), form: { name: 'Renamed' } }),
    forbidden: async (app) => ({ ...(await written(app)), form: { status: 'published' } }),
    in_use: async (app) => {
      await listInstruments(app);
      const { token } = await staffMember(app);
      const id = await publishedStrategy(app);
      return { token, params: { id }, form: { definition: DRAFT.definition } };
    },
    definition_invalid: async (app) => ({ ...(await written(app)), form: { definition: '{}' } }),
    draft_limit: async (app) => {
      const { token, params } = await written(app);
      await app.records.pool.query('update strategy_versions set number = $2 where strategy_id = $1', [
        params.id,
        DRAFT_VERSIONS_MAX,
      ]);
      const definition = JSON.stringify({ ...JSON.parse(DRAFT.definition), name: 'Another' });
      return { token, params, form: { definition } };
    },
    image_invalid: async (app) => ({ ...(await written(app)), form: { thumbnail: NO_PICTURE } }),
  },
  removeStrategy: {
    success: (app) => written(app),
    in_use: async (app) => {
      const { token } = await staffMember(app);
      return { token, params: { id: await publishedStrategy(app) } };
    },
  },
  getStrategyThumbnail: { success: pictured },
};

import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import type { TestApp } from '../../support/test-app.ts';
import { publishedStrategy } from '../../support/test-strategy.ts';
import type { CasesOf } from '../call-case.ts';
import { measuredDraft } from '../scene.ts';

const published = async (app: TestApp) => ({ params: { id: await publishedStrategy(app) } });

async function linked(app: TestApp) {
  const { person, id } = await measuredDraft(app);
  const url = `/api/strategies/${id}/trade_log_link/`;
  const { body } = await app.request({ method: 'POST', url, token: person.token });
  const link = new URL(body.url, 'http://product.test').searchParams.get('link')!;
  return { params: { id }, query: { link } };
}

export const strategiesCases: CasesOf<typeof strategiesEndpoints> = {
  listStrategies: { success: async () => ({ query: { market: 'stocks', search: 'calm' } }) },
  filterStrategies: { success: async () => ({ body: { risk: 'medium' } }) },
  getStrategy: { success: published },
  getStrategyPerformance: {
    success: async (app) => ({ ...(await published(app)), query: { timeframe: 'week' } }),
  },
  listStrategyTrades: { success: published },
  downloadStrategyTrades: {
    success: linked,
    invalid_token: async (app) => ({
      params: { id: (await measuredDraft(app)).id },
      query: { link: 'never-was-one' },
    }),
  },
  createTradeLogLink: {
    success: async (app) => {
      const { person, id } = await measuredDraft(app);
      return { token: person.token, params: { id } };
    },
  },
  getStrategyEvidence: { success: published },
  getStrategyEvidenceData: { success: published },
  getStrategyEvidenceBars: { success: published },
};

import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import type { TestApp } from '../../support/test-app.ts';
import { claimFile } from '../../support/claim-file.ts';
import { signedInPerson } from '../../support/test-person.ts';
import { publishedStrategy } from '../../support/test-strategy.ts';
import type { CasesOf } from '../call-case.ts';
import { measuredDraft, staffMember } from '../scene.ts';

const published = async (app: TestApp) => ({ params: { id: await publishedStrategy(app) } });

/** With a track record that the provider imported. */
async function claimed(app: TestApp) {
  const asked = await published(app);
  const { token } = await staffMember(app);
  await app.request({
    method: 'POST',
    url: `/api/operations/catalogue/${asked.params.id}/claim/`,
    token,
    body: { source: 'Statements of a brokerage account', file: claimFile() },
  });
  return asked;
}

async function authored(app: TestApp) {
  const { person, id } = await measuredDraft(app);
  return { token: person.token, params: { id } };
}

/** Somebody to whom the provider does not show figures, and a strategy. */
async function hidden(app: TestApp) {
  const person = await signedInPerson(app);
  await app.records.pool.query(`update users set country = 'IN' where id = $1`, [person.id]);
  await app.records.pool.query(
    `insert into figure_switches (status, country, is_shown) values ('person', 'IN', false)`,
  );
  return { token: person.token, ...(await published(app)) };
}
const hiddenAll = async (app: TestApp) => ({ token: (await hidden(app)).token });

async function watching(app: TestApp) {
  const { token } = await signedInPerson(app);
  const asked = { token, ...(await published(app)) };
  await app.request({ method: 'POST', url: `/api/watch-list/${asked.params.id}/`, token });
  return asked;
}

export const strategiesCases: CasesOf<typeof strategiesEndpoints> = {
  listStrategies: {
    success: async () => ({ query: { market: 'stocks', search: 'calm' } }),
    figures_hidden: hiddenAll,
  },
  filterStrategies: {
    success: async () => ({ body: { risk: 'medium' } }),
    figures_hidden: async (app) => ({ ...(await hiddenAll(app)), body: {} }),
  },
  getStrategy: { success: published, figures_hidden: hidden },
  getStrategyPerformance: {
    success: async (app) => ({ ...(await published(app)), query: { timeframe: 'week' } }),
    figures_hidden: hidden,
  },
  getStrategyClaim: { success: claimed, figures_hidden: hidden },
  listWatchedStrategies: { success: async (app) => ({ token: (await watching(app)).token }) },
  watchStrategy: { success: watching },
  unwatchStrategy: { success: watching },
  listStrategyTrades: { success: published, figures_hidden: hidden },
  downloadStrategyTrades: { success: authored, figures_hidden: hidden },
  getStrategyEvidence: { success: published, figures_hidden: hidden },
  getStrategyEvidenceData: { success: published, figures_hidden: hidden },
  getStrategyEvidenceBars: {
    success: async (app) => ({ ...(await published(app)), query: { result: 'in' } }),
    figures_hidden: hidden,
  },
};

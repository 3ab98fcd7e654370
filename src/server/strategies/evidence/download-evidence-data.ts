import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import { BARS_FORMAT } from '#engine/evidence/passport.ts';
import { listEvidenceSeries } from '#records/results/evidence-series.ts';
import { findBacktestScores } from '#records/strategies/strategies.ts';
import type { Call } from '../../http/call.ts';
import { isRefused } from '../../http/refusal.ts';
import { findShownStrategy } from '../find-shown-strategy.ts';
import { sendEvidenceFile } from './evidence-file.ts';

export const downloadEvidenceData: Call<typeof strategiesEndpoints.getStrategyEvidenceData> = async (
  asked,
  dependencies,
) => {
  const { records, history } = dependencies;
  const { database } = records;
  const strategy = await findShownStrategy(dependencies, asked);
  if (isRefused(strategy)) return strategy;
  const { backtestId, barsRead } = strategy;
  const parts = async function* () {
    const scores = await findBacktestScores(database, backtestId);
    yield* jsonOf(listEvidenceSeries(database, barsRead, { scores, history }));
  };
  return sendEvidenceFile({ name: `${backtestId} data`, parts }, asked);
};

/** One instrument at a time, so that a long history is never fully in memory. */
async function* jsonOf(series: AsyncIterable<object>): AsyncGenerator<string> {
  yield `{"format":"${BARS_FORMAT}","series":[`;
  let separator = '';
  for await (const one of series) {
    yield separator + JSON.stringify(one);
    separator = ',\n';
  }
  yield ']}\n';
}

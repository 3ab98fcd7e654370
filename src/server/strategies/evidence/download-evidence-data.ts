import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import { BARS_FORMAT } from '#engine/evidence/passport.ts';
import { listEvidenceSeries } from '#records/results/evidence-series.ts';
import { findBacktestScores } from '#records/strategies/strategies.ts';
import type { Call } from '../../http/call.ts';
import { isRefused } from '../../http/refusal.ts';
import { findShownStrategy } from '../find-shown-strategy.ts';
import { sendCompressed } from './send-compressed.ts';

/** One instrument at a time. */
export const downloadEvidenceData: Call<typeof strategiesEndpoints.getStrategyEvidenceData> = async (
  asked,
  dependencies,
) => {
  const { records, history } = dependencies;
  const strategy = await findShownStrategy(dependencies, asked);
  if (isRefused(strategy)) return strategy;
  const scores = await findBacktestScores(records.database, strategy.backtestId);
  return sendCompressed(
    jsonOf(listEvidenceSeries(records.database, strategy.barsRead, { scores, history })),
    asked,
  );
};

async function* jsonOf(series: AsyncIterable<object>): AsyncGenerator<string> {
  yield `{"format":"${BARS_FORMAT}","series":[`;
  let separator = '';
  for await (const one of series) {
    yield separator + JSON.stringify(one);
    separator = ',\n';
  }
  yield ']}\n';
}

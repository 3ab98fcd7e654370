import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import { BARS_FORMAT } from '#engine/evidence/passport.ts';
import type { Call } from '../../http/call.ts';
import { isRefused } from '../../http/refusal.ts';
import { findShownStrategy } from '../find-shown-strategy.ts';
import { sendEvidence } from './send-evidence.ts';

export const downloadEvidenceData: Call<typeof strategiesEndpoints.getStrategyEvidenceData> = async (
  asked,
  dependencies,
) => {
  const strategy = await findShownStrategy(dependencies, asked);
  if (isRefused(strategy)) return strategy;
  return sendEvidence(strategy, { form: 'data', write: jsonOf }, dependencies, asked);
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

import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import { BARS_FORMAT } from '#engine/evidence/passport.ts';
import { listEvidenceSeries } from '#records/results/evidence-series.ts';
import { findBacktestScores } from '#records/strategies/strategies.ts';
import type { Call } from '../../http/call.ts';
import { isRefused } from '../../http/refusal.ts';
import { findShownStrategy } from '../find-shown-strategy.ts';

/** One instrument at a time, so that a long history is never fully in memory. */
export const downloadEvidenceData: Call<typeof strategiesEndpoints.getStrategyEvidenceData> = async (
  asked,
  { records, history },
) => {
  const strategy = await findShownStrategy(records.database, asked);
  if (isRefused(strategy)) return strategy;
  const scores = await findBacktestScores(records.database, strategy.backtestId);
  const parts = listEvidenceSeries(records.database, strategy.barsRead, { scores, history });
  const text = Readable.from(jsonOf(parts));
  const { request, reply } = asked;
  reply.header('vary', 'accept-encoding');
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return text;
  reply.header('content-encoding', 'gzip');
  return text.pipe(createGzip({ level: FAST }));
};

/** Prices hardly shrink further at higher levels. */
const FAST = 4;

async function* jsonOf(series: AsyncIterable<object>): AsyncGenerator<string> {
  yield `{"format":"${BARS_FORMAT}","series":[`;
  let separator = '';
  for await (const one of series) {
    yield separator + JSON.stringify(one);
    separator = ',\n';
  }
  yield ']}\n';
}

import { PACKED_MAGIC, packSeries } from '#contract/strategies/packed-bars.ts';
import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import type { PassportSeries } from '#engine/evidence/passport.ts';
import type { Call } from '../../http/call.ts';
import { isRefused } from '../../http/refusal.ts';
import { findShownStrategy } from '../find-shown-strategy.ts';
import { sendEvidence } from './send-evidence.ts';

/** At the address of its result the file never changes, and a browser keeps it. */
export const downloadEvidenceBars: Call<typeof strategiesEndpoints.getStrategyEvidenceBars> = async (
  asked,
  dependencies,
) => {
  const strategy = await findShownStrategy(dependencies, asked);
  if (isRefused(strategy)) return strategy;
  const file = await sendEvidence(strategy, { form: 'bars', write: packed }, dependencies, asked);
  const isNewest = asked.query.result === strategy.hashes.input;
  asked.reply.header('cache-control', isNewest ? `private, max-age=${WEEK_SECONDS}, immutable` : 'no-store');
  return file;
};

const WEEK_SECONDS = 7 * 86_400;

async function* packed(series: AsyncIterable<PassportSeries>): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(PACKED_MAGIC);
  for await (const one of series) yield packSeries(one);
}

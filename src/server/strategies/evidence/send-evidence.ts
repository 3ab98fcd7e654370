import type { PassportSeries } from '#engine/evidence/passport.ts';
import { listEvidenceSeries } from '#records/results/evidence-series.ts';
import { findBacktestScores, type StrategyRecord } from '#records/strategies/strategies.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { type Exchange, sendEvidenceFile } from './evidence-file.ts';

type Form = {
  readonly form: 'data' | 'bars';
  /** One instrument at a time, so that a long history is never fully in memory. */
  readonly write: (series: AsyncIterable<PassportSeries>) => AsyncIterable<string | Uint8Array>;
};

/** The bars behind a strategy's newest result. */
export function sendEvidence(
  { backtestId, barsRead }: StrategyRecord,
  { form, write }: Form,
  { records: { database }, history }: Pick<Dependencies, 'records' | 'history'>,
  exchange: Exchange,
) {
  const parts = async function* () {
    const scores = await findBacktestScores(database, backtestId);
    yield* write(listEvidenceSeries(database, barsRead, { scores, history }));
  };
  return sendEvidenceFile({ name: `${backtestId} ${form}`, parts }, exchange);
}

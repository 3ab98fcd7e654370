// A backtest that a person requested: the newest bars, with the same run and the same records as a published result,
// counted in the trial ledger as that person's. The strategy keeps its status, so a draft stays its writer's own.
import { inputHashes } from '#engine/evidence/fingerprints.ts';
import type { PublishedFigures } from '#engine/evidence/published-record.ts';
import { evidenceRows, pruneBacktests, saveBacktest } from '#records/results/backtests.ts';
import { setMeasuredRisk } from '#records/strategy-builder/strategy-drafts.ts';
import { resultReason } from '#rules/reasons/result-reason.ts';
import { riskLevel, strategyRiskScore } from '#rules/suitability/strategy-risk.ts';
import type { IsoDate } from '#units/instant.ts';
import { gradeResult, regradeSearch } from './grade-result.ts';
import { publishedCosts } from './publish-result.ts';
import {
  type Asked,
  type CommittedVersion,
  historyOf,
  readSeries,
  type ResultTools,
  runCounted,
} from './renew-result.ts';
import { scoreBars } from '#engine/model/score-bars.ts';

export type DraftResult =
  | {
      readonly ok: true;
      readonly figures: PublishedFigures;
      readonly firstDate: IsoDate;
      readonly lastDate: IsoDate;
      readonly tries: number;
    }
  | { readonly ok: false; readonly message: string };

/** `reached` hears what is about to be done and how far that is, from 0 to 1. */
export type Reached = (progress: number, message: string) => void;

export async function backtestDraft(
  tools: ResultTools,
  version: CommittedVersion,
  { asked, number, reached }: { readonly asked: Asked; readonly number?: number; readonly reached: Reached },
): Promise<DraftResult> {
  const { database, instruments, engine, models } = tools;
  const { definition } = version;
  reached(0.05, 'Reading prices');
  const series = await readSeries(tools, definition);
  if (definition.model !== undefined) reached(0.25, resultReason('scoring'));
  const scores = await scoreBars(models, definition, series);
  reached(0.5, 'Running');
  const settings = publishedCosts(tools, version.committedAt);
  const hashes = inputHashes({ definition, instruments, series, scores, settings }, engine);
  const heads = historyOf(tools, definition).heads?.([...series.keys()]);
  const input = { ...version, series, scores, ...(heads === undefined ? {} : { heads }) };
  const published = await runCounted(
    tools,
    { version, hashes, purpose: 'search', asked, ...(number !== undefined && { number }) },
    input,
  );
  if (published === null) return { ok: false, message: resultReason('no_figures') };
  reached(0.9, 'Grading');
  const { stored, run } = published;
  const { benchmark } = evidenceRows(stored.series, stored.samples);
  const evidence = await gradeResult(database, version, run.returns, benchmark);
  const score = strategyRiskScore(published.risk);
  await database.transaction().execute(async (transaction) => {
    await saveBacktest(transaction, stored, evidence);
    await pruneBacktests(transaction, version.versionId);
    await setMeasuredRisk(transaction, version.strategyId, { level: riskLevel(score), score });
  });
  // The other drafts of the family are worth less now.
  await regradeSearch(database, version.strategyId);
  const { figures, firstDate, lastDate } = stored;
  return { ok: true, figures, firstDate, lastDate, tries: evidence.family.counted };
}

// A backtest that a person requested: the newest bars, with the same run and the same records as a published result,
// counted in the trial ledger as that person's. The strategy keeps its status, so a draft stays its writer's own.
import { inputHashes } from '#engine/evidence/fingerprints.ts';
import type { PublishedFigures } from '#engine/evidence/published-record.ts';
import { evidenceRows, pruneBacktests, saveBacktest } from '#records/results/backtests.ts';
import { setMeasuredRisk } from '#records/strategy-builder/strategy-drafts.ts';
import { resultReason } from '#rules/reasons/result-reason.ts';
import { riskLevel, strategyRiskScore } from '#rules/suitability/strategy-risk.ts';
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import { fromMicro, type Micro } from '#units/money.ts';
import type { RunWatch } from '#engine/backtest/vectorized/vectorized-backtest.ts';
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
export type Reached = (progress: number, message: string, partial?: PartialRun) => void;

/** The equity of a run so far, in dollars at the ends of its days; of a long one every so many. */
export type PartialRun = { readonly labels: readonly IsoDate[]; readonly data: readonly number[] };

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
  reached(RUN_FROM, RUNNING);
  const settings = publishedCosts(tools, version.committedAt);
  const hashes = inputHashes({ definition, instruments, series, scores, settings }, engine);
  const heads = historyOf(tools, definition).heads?.([...series.keys()]);
  const input = {
    ...version,
    series,
    scores,
    watch: watchFor(reached),
    ...(heads === undefined ? {} : { heads }),
  };
  const published = await runCounted(
    tools,
    { version, hashes, purpose: 'search', asked, ...(number !== undefined && { number }) },
    input,
  );
  if (published === null) return { ok: false, message: resultReason('no_figures') };
  reached(RUN_TO, 'Grading');
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

/** The line as far as it is drawn; its length is that of the whole run, so that it grows into its place. */
function watchFor(reached: Reached): RunWatch {
  return ({ timeline, equity, done }) => {
    const step = Math.max(1, Math.ceil(timeline.length / POINTS_MAX));
    const labels: IsoDate[] = [];
    const data: number[] = [];
    for (let row = 0; row < done; row += step) {
      labels.push(utcDate((timeline[row]! - 1) as Instant));
      data.push(fromMicro(equity[row]! as Micro));
    }
    const share = done / timeline.length;
    reached(RUN_FROM + (RUN_TO - RUN_FROM) * share, RUNNING, { labels, data });
  };
}

const RUNNING = 'Running';
const RUN_FROM = 0.5;
const RUN_TO = 0.9;
/** As many as a chart can tell apart. */
const POINTS_MAX = 400;

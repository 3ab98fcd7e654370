// A sweep that a person requested: a version with other numbers in it, each set run on the days before the commit and
// written into the trial ledger before its figures are seen. The best set is judged against the luck of all tries.
import { overfittingOf } from '#engine/evidence/evidence-grade.ts';
import { inputHash, type InputHashes, inputHashes } from '#engine/evidence/fingerprints.ts';
import { type ParameterSet, variantDefinition } from '#engine/backtest/variants.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { definitionHash } from '#engine/strategy/definition-hash.ts';
import { searchKind } from '#engine/evidence/trial-family.ts';
import { findTrialFamily } from '#records/results/trial-families.ts';
import { addTrial } from '#records/results/trials.ts';
import { type IsoDate, utcDate } from '#units/instant.ts';
import type { Reached } from './backtest-draft.ts';
import { gradeResult, regradeSearch } from './grade-result.ts';
import { publishedCosts } from './publish-result.ts';
import {
  type Asked,
  type CommittedVersion,
  measured,
  readSeries,
  type ResultTools,
  TOO_SHORT,
} from './renew-result.ts';
import { scoreBars } from '#engine/model/score-bars.ts';
import { inSampleSeries } from './study-variants.ts';
import type { SetRun, SweepTask, VariantRun } from './sweep/run-variant.ts';
import { startSweepWorkers } from './sweep/sweep-workers.ts';

type SweepResult = {
  /** In the order of the sets. */
  readonly runs: readonly SetRun[];
  /** The place of the highest Sharpe ratio; -1 without any. */
  readonly best: number;
  /** Of the best, against the luck of all tries. */
  readonly deflatedSharpe: number | null;
  readonly overfittingProbability: number | null;
  readonly tries: number;
  readonly days: { readonly first: IsoDate; readonly last: IsoDate } | null;
};

type AskedSweep = {
  readonly sets: readonly ParameterSet[];
  readonly asked: Asked;
  /** In which the sets are run. */
  readonly threads: number;
  readonly reached: Reached;
};

export async function sweepDraft(
  tools: ResultTools,
  version: CommittedVersion,
  { sets, asked, threads, reached }: AskedSweep,
): Promise<SweepResult> {
  const { database, instruments, engine, models } = tools;
  reached(0, 'Reading prices');
  const series = inSampleSeries(await readSeries(tools, version.definition), version);
  // A sweep leaves the inputs of a model as they are, so the scores are the same for all.
  const scores = await scoreBars(models, version.definition, series);
  const settings = publishedCosts(tools, version.committedAt);
  const task = { definition: version.definition, instruments, series, scores, settings };
  const base = inputHashes(task, engine);
  const kind = searchKind(version.definition, instruments);
  const runs: SetRun[] = [];
  const returns: Float64Array[] = [];
  let done = 0;
  const workers = startSweepWorkers(Math.min(sets.length, threads));
  try {
    await workers.run(task, sets, async (set, run) => {
      await addTrial(database, {
        ...kind,
        strategyId: version.strategyId,
        versionId: version.versionId,
        ...hashesOf(base, definitionHash(variantOf(version, sets[set]!))),
        purpose: 'search',
        by: { kind: 'person', userId: asked.userId, run: { jobId: asked.jobId, number: set } },
        at: tools.now,
        outcome: outcomeOf(run),
      });
      runs[set] = run.shown;
      returns[set] = run.returns;
      reached(++done / sets.length, `${done} of ${sets.length} sets`);
    });
  } finally {
    await workers.close();
  }
  reached(1, 'Comparing');
  return judged(tools, version, { sets, runs, returns, series });
}

function outcomeOf({ shown, returns, weekly }: VariantRun) {
  if (shown.figures !== null) return measured(returns, weekly);
  return shown.failure === undefined ? TOO_SHORT : ({ kind: 'failed', reason: shown.failure } as const);
}

function hashesOf({ engine, data, costs }: InputHashes, definition: string) {
  const input = inputHash({ engine, definition, data, costs });
  return { definitionHash: definition, inputHash: input, dataHash: data };
}

/** One that cannot be is counted as the version itself. */
function variantOf({ definition }: CommittedVersion, set: ParameterSet): StrategyDefinition {
  const variant = variantDefinition(definition, set);
  return variant.ok ? variant.definition : definition;
}

type Ran = {
  readonly sets: readonly ParameterSet[];
  readonly runs: readonly SetRun[];
  readonly returns: readonly Float64Array[];
  readonly series: SweepTask['series'];
};

async function judged(
  tools: ResultTools,
  version: CommittedVersion,
  { sets, runs, returns, series }: Ran,
): Promise<SweepResult> {
  const sharpes = runs.map(({ figures }) => figures?.sharpe_ratio ?? Number.NEGATIVE_INFINITY);
  const highest = Math.max(...sharpes);
  const best = Number.isFinite(highest) ? sharpes.indexOf(highest) : -1;
  const compared = returns.filter((_, i) => runs[i]!.figures !== null);
  // The ledger has grown, so what is already shown of this family is worth less.
  await regradeSearch(tools.database, version.strategyId);
  const tried = best === -1 ? version : { ...version, definition: variantOf(version, sets[best]!) };
  const grade =
    best === -1
      ? null
      : await gradeResult(tools.database, tried, {
          inSample: returns[best]!,
          outOfSample: new Float64Array(0),
        });
  const family = await findTrialFamily(tools.database, {
    strategyId: version.strategyId,
    definitionHash: definitionHash(tried.definition),
  });
  const closes = series.get(version.definition.benchmark)?.closedAt ?? new Float64Array(0);
  const [first, last] = [closes[0], closes.at(-1)];
  return {
    runs,
    best,
    deflatedSharpe: grade?.deflatedSharpe ?? null,
    overfittingProbability: overfittingOf(compared)?.probability ?? null,
    tries: family?.count.counted ?? 0,
    days: first === undefined || last === undefined ? null : { first: dayOf(first), last: dayOf(last) },
  };
}

/** The day that a bar belongs to: it closes at the latest at the day's end. */
function dayOf(closedAt: number): IsoDate {
  return utcDate((closedAt - 1) as Parameters<typeof utcDate>[0]);
}

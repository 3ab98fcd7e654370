// A sweep that somebody asked for: a version with other numbers in it, each set run on the days before the commit and
// written into the trial ledger before its figures are seen. What is best is judged against the luck of all tries.
import { backtest } from '#engine/backtest/backtest.ts';
import { overfittingOf } from '#engine/evidence/evidence-grade.ts';
import { inputHash, type InputHashes, inputHashes } from '#engine/evidence/fingerprints.ts';
import { publishedFigures, type PublishedFigures } from '#engine/evidence/published-record.ts';
import { sampleReturns } from '#engine/evidence/sample-reports.ts';
import { definitionHash } from '#engine/strategy/definition-hash.ts';
import { type ParameterSet, variantDefinition } from '#engine/backtest/variants.ts';
import { summarize } from '#engine/backtest/summarize.ts';
import { addTrial, countTrials } from '#records/results/trials.ts';
import { type IsoDate, utcDate } from '#units/instant.ts';
import type { Reached } from './backtest-draft.ts';
import { publishedCosts, type PublishInput } from './publish-result.ts';
import {
  type Asked,
  type CommittedVersion,
  gradeResult,
  measured,
  readSeries,
  regradeResult,
  type ResultTools,
  TOO_SHORT,
} from './renew-result.ts';
import { scoreBars } from '#engine/model/score-bars.ts';
import { inSampleSeries } from './study-variants.ts';

export type SetRun = {
  readonly parameters: ParameterSet;
  /** Null where it gave none; then `failure` says why. */
  readonly figures: PublishedFigures | null;
  readonly failure?: string;
};

export type SweepResult = {
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
  readonly reached: Reached;
};

export async function sweepDraft(
  tools: ResultTools,
  version: CommittedVersion,
  { sets, asked, reached }: AskedSweep,
): Promise<SweepResult> {
  const { database, instruments, engine, models } = tools;
  reached(0, 'Reading prices');
  const series = inSampleSeries(await readSeries(tools, version.definition), version);
  // A sweep leaves the inputs of a model as they are, so the scores are the same for all.
  const scores = await scoreBars(models, version.definition, series);
  const settings = publishedCosts(instruments, version.committedAt);
  const terms = { instruments, series, scores, settings };
  const base = inputHashes({ definition: version.definition, ...terms }, engine);
  const runs: SetRun[] = [];
  const returns: Float64Array[] = [];
  for (const [i, parameters] of sets.entries()) {
    reached(i / sets.length, `Set ${i + 1} of ${sets.length}`);
    const run = runSet(version, { parameters, terms });
    await addTrial(database, {
      family: version.strategyId,
      versionId: version.versionId,
      ...hashesOf(base, run.definitionHash),
      purpose: 'search',
      by: { kind: 'person', userId: asked.userId, run: { jobId: asked.jobId, number: i } },
      at: tools.now,
      outcome: outcomeOf(run),
    });
    runs.push(run.shown);
    returns.push(run.returns);
  }
  reached(1, 'Comparing');
  return judged(tools, version, { runs, returns, series });
}

type OneRun = {
  readonly shown: SetRun;
  readonly definitionHash: string;
  /** Per period; empty where there is no result. */
  readonly returns: Float64Array;
};

type Terms = Pick<PublishInput, 'instruments' | 'series' | 'scores'> & {
  readonly settings: ReturnType<typeof publishedCosts>;
};

function runSet(
  version: CommittedVersion,
  { parameters, terms }: { readonly parameters: ParameterSet; readonly terms: Terms },
): OneRun {
  const none = new Float64Array(0);
  const variant = variantDefinition(version.definition, parameters);
  if (!variant.ok) {
    const failure = variant.errors.map(({ path, message }) => `${path} ${message}`).join('; ');
    return {
      shown: { parameters, figures: null, failure },
      definitionHash: definitionHash(version.definition),
      returns: none,
    };
  }
  const { definition } = variant;
  const hash = definitionHash(definition);
  try {
    const input = { ...terms, definition };
    const result = backtest(input);
    const figures = publishedFigures(
      summarize(input, result, terms.series.get(definition.benchmark) ?? null),
    );
    const returns = sampleReturns(result, version.committedAt).inSample;
    const failure = figures === null ? { failure: 'It never traded, or there are too few days.' } : {};
    return { shown: { parameters, figures, ...failure }, definitionHash: hash, returns };
  } catch (error) {
    // The engine refuses what it cannot run; the other sets are still worth knowing.
    if (!(error instanceof RangeError)) throw error;
    return {
      shown: { parameters, figures: null, failure: error.message },
      definitionHash: hash,
      returns: none,
    };
  }
}

function outcomeOf({ shown, returns }: OneRun) {
  if (shown.figures !== null) return measured(returns);
  return shown.failure === undefined ? TOO_SHORT : ({ kind: 'failed', reason: shown.failure } as const);
}

function hashesOf({ engine, data, costs }: InputHashes, definition: string) {
  const input = inputHash({ engine, definition, data, costs });
  return { definitionHash: definition, inputHash: input, dataHash: data };
}

type Ran = {
  readonly runs: readonly SetRun[];
  readonly returns: readonly Float64Array[];
  readonly series: Terms['series'];
};

async function judged(
  tools: ResultTools,
  version: CommittedVersion,
  { runs, returns, series }: Ran,
): Promise<SweepResult> {
  const sharpes = runs.map(({ figures }) => figures?.sharpe_ratio ?? Number.NEGATIVE_INFINITY);
  const highest = Math.max(...sharpes);
  const best = Number.isFinite(highest) ? sharpes.indexOf(highest) : -1;
  const compared = returns.filter((_, i) => runs[i]!.figures !== null);
  // The ledger has grown, so what is already shown of this version is worth less.
  await regradeResult(tools, version);
  const grade =
    best === -1
      ? null
      : await gradeResult(tools.database, version, {
          inSample: returns[best]!,
          outOfSample: new Float64Array(0),
        });
  const closes = series.get(version.definition.benchmark)?.closedAt ?? new Float64Array(0);
  const [first, last] = [closes[0], closes.at(-1)];
  return {
    runs,
    best,
    deflatedSharpe: grade?.deflatedSharpe ?? null,
    overfittingProbability: overfittingOf(compared),
    tries: (await countTrials(tools.database, version.strategyId)).tries,
    days: first === undefined || last === undefined ? null : { first: dayOf(first), last: dayOf(last) },
  };
}

/** The day that a bar belongs to: it closes at the latest at the day's end. */
function dayOf(closedAt: number): IsoDate {
  return utcDate((closedAt - 1) as Parameters<typeof utcDate>[0]);
}

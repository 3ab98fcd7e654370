// Tries the neighbours of a committed version on its own in-sample days, writes every one of them into the trial
// ledger, and measures how often the best of one half of the days falls behind in the other.
import type { EvidenceRun } from '#engine/evidence/evidence-run.ts';
import { overfittingOf } from '#engine/evidence/evidence-grade.ts';
import { inputHashes } from '#engine/evidence/fingerprints.ts';
import { neighbours } from '#engine/evidence/neighbours.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { ScoreColumns } from '#engine/model/score-columns.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { wasTried } from '#records/results/trials.ts';
import { findVariantStudy, saveVariantStudy } from '#records/results/variant-studies.ts';
import type { Symbol } from '#units/identifiers.ts';
import { closedBy } from '#engine/strategy/evaluate.ts';
import { publishedCosts, publishResult } from './publish-result.ts';
import { type CommittedVersion, readSeries, type ResultTools, runCounted } from './renew-result.ts';
import { type RecordedColumns, recordedColumns } from './recorded-columns.ts';

/** done: this version was studied before; else how many variants were compared. */
type Study = 'done' | { readonly variants: number };

/**
 * Once for each version: its in-sample days and its neighbours never change. `between` is waited for after each
 * backtest, so that a study never holds a processor for long.
 */
export async function studyVariants(
  tools: ResultTools,
  version: CommittedVersion,
  between: () => Promise<void>,
): Promise<Study> {
  const { database, engine, now } = tools;
  if ((await findVariantStudy(database, version.versionId)) !== undefined) return 'done';
  const series = inSampleSeries(await readSeries(tools, version.definition), version);
  // A neighbour leaves the inputs of a model as they are, so the scores are the same for all.
  const { scores, answers } = await recordedColumns(tools, version, series);
  const returns: Float64Array[] = [];
  for (const definition of [version.definition, ...neighbours(version.definition)]) {
    const run = await tryVariant(tools, version, { definition, series, scores, ...(answers && { answers }) });
    if (run !== null) returns.push(run.returns.inSample);
    await between();
  }
  const study = { variants: returns.length, overfitting: overfittingOf(returns) };
  await saveVariantStudy(database, { ...study, versionId: version.versionId, engineHash: engine, at: now });
  return { variants: study.variants };
}

/** The version itself is in the ledger since its publication; a study that was cut short counts nothing twice. */
async function tryVariant(
  tools: ResultTools,
  version: CommittedVersion,
  variant: {
    readonly definition: StrategyDefinition;
    readonly series: ReadonlyMap<Symbol, BarSeries>;
    readonly scores: ScoreColumns;
    readonly answers?: RecordedColumns['answers'];
  },
): Promise<EvidenceRun | null> {
  const { database, instruments, engine } = tools;
  const input = { ...version, ...variant };
  const settings = publishedCosts(
    { ...tools, ...(variant.answers && { answers: variant.answers }) },
    version.committedAt,
  );
  const hashes = inputHashes({ ...variant, instruments, settings }, engine);
  const isKnown =
    variant.definition === version.definition || (await wasTried(database, version.versionId, hashes.input));
  try {
    const published = isKnown
      ? publishResult({ ...input, instruments, engine, feePercent: tools.feePercent })
      : await runCounted(tools, { version, hashes, purpose: 'variant' }, input);
    return published?.run ?? null;
  } catch (error) {
    // A neighbour that the engine refuses is a failed try; without the version itself there is nothing to study.
    if (variant.definition === version.definition) throw error;
    return null;
  }
}

/** What came after the commit must not choose between variants. */
export function inSampleSeries(
  series: ReadonlyMap<Symbol, BarSeries>,
  { committedAt }: CommittedVersion,
): ReadonlyMap<Symbol, BarSeries> {
  return new Map([...series].map(([symbol, bars]) => [symbol, closedBy(bars, committedAt)]));
}

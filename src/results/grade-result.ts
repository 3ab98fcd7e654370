// The grade of a result by the trial ledger of its family, and again when the family has grown: through this strategy or
// through any other draft of the same person.
import { gradeEvidence } from '#engine/evidence/evidence-grade.ts';
import type { PublishedSeries } from '#engine/evidence/published-record.ts';
import type { SampleReturns } from '#engine/evidence/sample-reports.ts';
import { returnsOf } from '#engine/performance/returns.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { definitionHash } from '#engine/strategy/definition-hash.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { Database } from '#records/postgres/database.ts';
import {
  findNewestBacktest,
  getBacktestValues,
  saveEvidence,
  type StoredEvidence,
} from '#records/results/backtests.ts';
import { findTrialFamily } from '#records/results/trial-families.ts';
import { countTrials } from '#records/results/trials.ts';
import { findVariantStudy } from '#records/results/variant-studies.ts';
import { listSearchedVersions } from '#records/strategies/searched-versions.ts';
import type { BacktestId, StrategyId, StrategyVersionId } from '#units/identifiers.ts';

type GradedVersion = {
  readonly strategyId: StrategyId;
  readonly versionId: StrategyVersionId;
  readonly definition: StrategyDefinition;
};

/** `benchmark` is its worth at each row of the result, where it is known. */
export async function gradeResult(
  database: Database,
  { strategyId, versionId, definition }: GradedVersion,
  returns: SampleReturns,
  benchmark?: PublishedSeries['benchmark'],
): Promise<StoredEvidence> {
  const found = await findTrialFamily(database, { strategyId, definitionHash: definitionHash(definition) });
  if (found === null) throw new Error('a result is graded after its try is in the ledger');
  const study = await findVariantStudy(database, versionId);
  const evidence = gradeEvidence({
    ...returns,
    ...(benchmark !== undefined && {
      benchmark: returnsOf(Float64Array.from(benchmark, (worth) => worth ?? Number.NaN)).slice(
        0,
        returns.inSample.length,
      ),
    }),
    periodsPerYear: definition.periodsPerYear,
    ledger: found.ledger,
    variants: [],
    overfitting: study?.overfitting ?? null,
    awaitsNeighbours: study === undefined,
  });
  return { ...evidence, trials: await countTrials(database, strategyId), family: found.count };
}

/** The grade of a stored result by the current ledger. */
export async function gradeStored(
  database: Database,
  version: GradedVersion,
  id: BacktestId,
): Promise<StoredEvidence> {
  const { data, benchmark, periodsInSample } = await getBacktestValues(database, id);
  const returns = returnsOf(Float64Array.from(data));
  const parts = { inSample: returns.slice(0, periodsInSample), outOfSample: returns.slice(periodsInSample) };
  return gradeResult(database, version, parts, benchmark);
}

/** Grades the newest result again; the result itself does not change. */
export async function regradeResult(database: Database, version: GradedVersion): Promise<void> {
  const newest = await findNewestBacktest(database, version.versionId);
  if (newest === undefined) return;
  await saveEvidence(database, newest.id, await gradeStored(database, version, newest.id));
}

/** Grades every result of the person, or of the provider, whose strategy was tried. */
export async function regradeSearch(database: Database, strategyId: StrategyId): Promise<void> {
  for (const version of await listSearchedVersions(database, strategyId)) {
    const parsed = parseDefinition(version.definition);
    if (parsed.ok) await regradeResult(database, { ...version, definition: parsed.definition });
  }
}

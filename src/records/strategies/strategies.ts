// The catalogue as its screens read it: each strategy with the newest result of its newest version. A strategy
// without a result is not shown: it has no figures yet.
import { sql } from 'kysely';
import type { DeciderRule } from '#engine/decider/decider-rule.ts';
import type { PublishedFigures, PublishedSeries, PublishedTrade } from '#engine/evidence/published-record.ts';
import type { EvidenceCosts } from '#engine/evidence/evidence-run.ts';
import type { EvidenceHashes } from '#engine/evidence/fingerprints.ts';
import type { SampleReports } from '#engine/evidence/sample-reports.ts';
import type { InstrumentKind } from '#engine/market/instrument.ts';
import type { CapacityEstimate } from '#engine/capacity/estimate-capacity.ts';
import type { PositionSizes } from '#engine/strategy/position-sizes.ts';
import type { RiskScore } from '#rules/suitability/risk-class.ts';
import type { BacktestId, StrategyId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { BarScores, BarsRead, StoredEvidence } from '../results/backtests.ts';
import type { Database } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';

export type StrategyStatus = 'draft' | 'published' | 'retired';

export type StrategyRecord = {
  readonly id: StrategyId;
  readonly slug: string;
  readonly name: string;
  readonly shortDescription: string;
  readonly description: string;
  readonly kind: InstrumentKind;
  readonly strategyType: string;
  readonly market: 'us' | 'global';
  readonly riskLevel: 'low' | 'medium' | 'high';
  readonly riskScore: RiskScore;
  readonly isFeatured: boolean;
  /** Hash of its own picture; null when its curve is shown instead. */
  readonly thumbnailHash: string | null;
  readonly minInvestment: Micro;
  readonly feesPercent: number;
  readonly status: StrategyStatus;
  /** Who wrote it, of a private one; null for the provider's. */
  readonly ownerId: UserId | null;
  readonly versionId: StrategyVersionId;
  readonly backtestId: BacktestId;
  readonly versionNumber: number;
  /** Periods per year of the rules: 252 for weekday markets, 365 for those that trade every day. */
  readonly periodsPerYear: number;
  /** Of the bars that it reads, where they are shorter than a day. */
  readonly interval: string | null;
  readonly committedAt: Instant;
  /** The name of the benchmark; null when it is not known any more. */
  readonly benchmarkName: string | null;
  /** Whether its rules use a trained model. */
  readonly usesModel: boolean;
  /** Where a model decides: its rule. */
  readonly decider: DeciderRule | null;
  /** Whether a language model wrote the rules, or those that they were changed from. */
  readonly isWrittenByModel: boolean;
  readonly hashes: EvidenceHashes;
  readonly engineVersion: string;
  readonly dataAsOf: Instant;
  readonly barsRead: BarsRead;
  readonly firstDate: string;
  readonly lastDate: string;
  readonly costs: EvidenceCosts;
  readonly figures: PublishedFigures;
  readonly samples: SampleReports;
  readonly evidence: StoredEvidence;
  /** Null when it was not measured yet, or never asked for a position. */
  readonly positionSizes: PositionSizes | null;
  readonly capacity: CapacityEstimate;
};

/** The newest version and its newest result, from which the columns below are read. */
function newestResults(database: Database) {
  return database
    .selectFrom('strategies as s')
    .innerJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('strategy_versions')
          .select([
            'id',
            'number',
            'definition_hash',
            'committed_at',
            sql<number>`coalesce((definition->>'periodsPerYear')::int, 252)`.as('periods_per_year'),
            sql<string | null>`definition->>'interval'`.as('interval'),
            sql<string | null>`(select name from instruments where symbol = definition->>'benchmark')`.as(
              'benchmark_name',
            ),
            sql<boolean>`definition->'model' is not null`.as('uses_model'),
            sql<unknown>`case when definition->'rule'->>'type' = 'decider' then definition->'rule' end`.as(
              'decider',
            ),
            sql<boolean>`exists (select from strategy_versions o where o.strategy_id = strategy_versions.strategy_id
              and o.number <= strategy_versions.number and o.written_by_model)`.as('written_by_model'),
          ])
          .whereRef('strategy_id', '=', 's.id')
          .orderBy('number', 'desc')
          .limit(1)
          .as('v'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('backtests')
          .select([
            'id',
            'engine_hash',
            'engine_version',
            'data_hash',
            'costs_hash',
            'input_hash',
            'result_hash',
            'data_as_of',
            'bars_read',
            'first_date',
            'last_date',
            'costs',
            'figures',
            'samples',
            'evidence',
            'position_sizes',
            'capacity',
          ])
          .whereRef('strategy_version_id', '=', 'v.id')
          .orderBy('last_date', 'desc')
          .orderBy('created_at', 'desc')
          .limit(1)
          .as('b'),
      (join) => join.onTrue(),
    );
}

function strategies(database: Database) {
  return newestResults(database)
    .selectAll('s')
    .select([
      'v.id as version_id',
      'b.id as backtest_id',
      'v.number as version_number',
      'v.definition_hash',
      'v.periods_per_year',
      'v.interval',
      'v.benchmark_name',
      'v.uses_model',
      'v.decider',
      'v.written_by_model',
      'v.committed_at',
      'b.engine_hash',
      'b.engine_version',
      'b.data_hash',
      'b.costs_hash',
      'b.input_hash',
      'b.result_hash',
      'b.data_as_of',
      'b.bars_read',
      'b.first_date',
      'b.last_date',
      'b.costs',
      'b.figures',
      'b.samples',
      'b.evidence',
      'b.position_sizes',
      'b.capacity',
      (eb) =>
        eb
          .selectFrom('strategy_thumbnails')
          .select('hash')
          .whereRef('strategy_id', '=', 's.id')
          .as('thumbnail_hash'),
    ]);
}

/** Published ones, featured first, then by name. */
export async function listPublishedStrategies(database: Database): Promise<readonly StrategyRecord[]> {
  const rows = await strategies(database)
    .where('s.status', '=', 'published')
    .orderBy('s.is_featured', 'desc')
    .orderBy('s.name')
    .execute();
  return rows.map(strategyRecord);
}

/** Published or retired; drafts are not found here. */
export async function findPublicStrategy(
  database: Database,
  id: string,
): Promise<StrategyRecord | undefined> {
  if (!isUuid<StrategyId>(id)) return undefined;
  const row = await strategies(database)
    .where('s.id', '=', id)
    .where('s.status', 'in', ['published', 'retired'])
    .executeTakeFirst();
  return row && strategyRecord(row);
}

/** What this person may deploy: a public strategy, or one that they wrote, once it has a result. */
export async function findDeployableStrategy(
  database: Database,
  { id, userId }: { readonly id: string; readonly userId: UserId },
): Promise<StrategyRecord | undefined> {
  if (!isUuid<StrategyId>(id)) return undefined;
  const row = await strategies(database)
    .where('s.id', '=', id)
    .where((eb) => eb.or([eb('s.status', 'in', ['published', 'retired']), eb('s.owner_id', '=', userId)]))
    .executeTakeFirst();
  return row && strategyRecord(row);
}

/** In any status: for its writers, and for what is deployed already. */
export async function findMeasuredStrategy(
  database: Database,
  id: StrategyId,
): Promise<StrategyRecord | undefined> {
  const row = await strategies(database).where('s.id', '=', id).executeTakeFirst();
  return row && strategyRecord(row);
}

/** The series of several results at once; results never change, so a reader may cache them. */
export async function listBacktestSeries(
  database: Database,
  ids: readonly BacktestId[],
): Promise<ReadonlyMap<BacktestId, PublishedSeries>> {
  const rows = await database
    .selectFrom('backtests')
    .select(['id', 'series'])
    .where('id', '=', sql<BacktestId>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row.series as PublishedSeries]));
}

/** The scores that a result read, if its strategy has a model. */
export async function findBacktestScores(database: Database, id: BacktestId): Promise<BarScores | null> {
  const row = await database
    .selectFrom('backtests')
    .select('scores')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.scores as BarScores | null;
}

export async function getStrategyName(database: Database, id: StrategyId): Promise<string> {
  const { name } = await database
    .selectFrom('strategies')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return name;
}

/** The rules of a version, as they were committed. */
export async function getVersionDefinition(database: Database, id: StrategyVersionId): Promise<unknown> {
  const row = await database
    .selectFrom('strategy_versions')
    .select('definition')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.definition;
}

/** Closed trades of a result, oldest first. */
export async function listBacktestTrades(
  database: Database,
  id: BacktestId,
): Promise<readonly PublishedTrade[]> {
  const row = await database
    .selectFrom('backtests')
    .select('trades')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.trades as readonly PublishedTrade[];
}

type StrategyRow = Awaited<ReturnType<ReturnType<typeof strategies>['executeTakeFirstOrThrow']>>;

function strategyRecord(row: StrategyRow): StrategyRecord {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    shortDescription: row.short_description,
    description: row.description,
    kind: row.kind,
    strategyType: row.strategy_type,
    market: row.market as 'us' | 'global',
    riskLevel: row.risk_level,
    riskScore: row.risk_score as RiskScore,
    isFeatured: row.is_featured,
    thumbnailHash: row.thumbnail_hash,
    minInvestment: parseMicro(row.min_investment_micro),
    feesPercent: Number(row.fees_percent),
    status: row.status,
    ownerId: row.owner_id as UserId | null,
    versionId: row.version_id as StrategyVersionId,
    backtestId: row.backtest_id as BacktestId,
    versionNumber: row.version_number,
    periodsPerYear: row.periods_per_year,
    interval: row.interval,
    benchmarkName: row.benchmark_name,
    usesModel: row.uses_model,
    decider: row.decider as DeciderRule | null,
    isWrittenByModel: row.written_by_model,
    committedAt: parseInstant(row.committed_at),
    hashes: {
      engine: row.engine_hash,
      definition: row.definition_hash,
      data: row.data_hash,
      costs: row.costs_hash,
      input: row.input_hash,
      result: row.result_hash,
    },
    engineVersion: row.engine_version,
    dataAsOf: parseInstant(row.data_as_of),
    barsRead: row.bars_read as BarsRead,
    firstDate: row.first_date,
    lastDate: row.last_date,
    costs: row.costs as EvidenceCosts,
    figures: row.figures as PublishedFigures,
    samples: row.samples as SampleReports,
    evidence: row.evidence as StoredEvidence,
    positionSizes: row.position_sizes as PositionSizes | null,
    capacity: row.capacity as CapacityEstimate,
  };
}

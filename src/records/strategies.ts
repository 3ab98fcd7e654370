// The catalogue as its screens read it: each strategy with the newest result of its newest version. A strategy
// without a result is not shown: there is nothing true to say about it yet.
import { sql } from 'kysely';
import type { InstrumentKind } from '#engine/market/instrument.ts';
import type { RiskScore } from '#rules/suitability/risk-class.ts';
import type { BacktestId, StrategyId, StrategyVersionId } from '#units/identifiers.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { BacktestFigures, BacktestSeries, BacktestTrade } from './backtests.ts';
import type { Database } from './database.ts';
import { isUuid } from './is-uuid.ts';

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
  readonly minInvestment: Micro;
  readonly feesPercent: number;
  readonly status: StrategyStatus;
  readonly versionId: StrategyVersionId;
  readonly backtestId: BacktestId;
  readonly inputHash: string;
  readonly resultHash: string;
  readonly lastDate: string;
  readonly figures: BacktestFigures;
};

function strategies(database: Database) {
  return database
    .selectFrom('strategies as s')
    .innerJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('strategy_versions')
          .select('id')
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
          .select(['id', 'input_hash', 'result_hash', 'last_date', 'figures'])
          .whereRef('strategy_version_id', '=', 'v.id')
          .orderBy('last_date', 'desc')
          .orderBy('created_at', 'desc')
          .limit(1)
          .as('b'),
      (join) => join.onTrue(),
    )
    .selectAll('s')
    .select([
      'v.id as version_id',
      'b.id as backtest_id',
      'b.input_hash',
      'b.result_hash',
      'b.last_date',
      'b.figures',
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

/** A published or retired one; drafts are not found here. */
export async function findPublicStrategy(
  database: Database,
  id: string,
): Promise<StrategyRecord | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await strategies(database)
    .where('s.id', '=', id)
    .where('s.status', 'in', ['published', 'retired'])
    .executeTakeFirst();
  return row && strategyRecord(row);
}

/** The series of several results at once; results never change, so a reader may keep them. */
export async function listBacktestSeries(
  database: Database,
  ids: readonly BacktestId[],
): Promise<ReadonlyMap<BacktestId, BacktestSeries>> {
  const rows = await database
    .selectFrom('backtests')
    .select(['id', 'series'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id as BacktestId, row.series as BacktestSeries]));
}

/** Closed trades of a result, oldest first. */
export async function listBacktestTrades(
  database: Database,
  id: BacktestId,
): Promise<readonly BacktestTrade[]> {
  const row = await database
    .selectFrom('backtests')
    .select('trades')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.trades as readonly BacktestTrade[];
}

type StrategyRow = Awaited<ReturnType<ReturnType<typeof strategies>['executeTakeFirstOrThrow']>>;

function strategyRecord(row: StrategyRow): StrategyRecord {
  return {
    id: row.id as StrategyId,
    slug: row.slug,
    name: row.name,
    shortDescription: row.short_description,
    description: row.description,
    kind: row.kind as InstrumentKind,
    strategyType: row.strategy_type,
    market: row.market as 'us' | 'global',
    riskLevel: row.risk_level as StrategyRecord['riskLevel'],
    riskScore: row.risk_score as RiskScore,
    isFeatured: row.is_featured,
    minInvestment: parseMicro(row.min_investment_micro),
    feesPercent: Number(row.fees_percent),
    status: row.status as StrategyStatus,
    versionId: row.version_id as StrategyVersionId,
    backtestId: row.backtest_id as BacktestId,
    inputHash: row.input_hash,
    resultHash: row.result_hash,
    lastDate: row.last_date,
    figures: row.figures as BacktestFigures,
  };
}

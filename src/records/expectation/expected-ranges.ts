// The range that each deployment was expected to stay in, written once when it has started.
import { type Kysely, sql } from 'kysely';
import type { Pool } from 'pg';
import { NO_EVIDENCE } from '#engine/expectation/evidence-against.ts';
import type { ExpectedRange } from '#engine/expectation/expected-range.ts';
import type { PublishedReturns } from '#engine/expectation/published-returns.ts';
import type { NoRange } from '#engine/expectation/range-of-deployment.ts';
import type { TripwireState } from '#engine/risk/tripwire.ts';
import type { Limits } from '#engine/risk/limits.ts';
import type { EvidenceCosts } from '#engine/evidence/evidence-run.ts';
import type { BacktestId, DeploymentId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { BarsRead } from '../results/backtests.ts';
import type { Tables } from '../tables.ts';

/** A deployment as its range is made from it. */
export type RangeSubject = {
  readonly id: DeploymentId;
  readonly versionId: StrategyVersionId;
  readonly definition: unknown;
  readonly investment: Micro;
  readonly limits: Limits;
  /** Trading clock. */
  readonly deployedAt: Instant;
};

/** Undefined for a deployment that has its range, or is not there. */
export async function findRangeSubject(
  database: Kysely<Tables>,
  id: DeploymentId,
): Promise<RangeSubject | undefined> {
  const row = await database
    .selectFrom('deployments as d')
    .innerJoin('strategy_versions as v', 'v.id', 'd.strategy_version_id')
    .leftJoin('expected_ranges as e', 'e.deployment_id', 'd.id')
    .select(['d.id', 'd.strategy_version_id', 'd.investment_micro', 'd.deployed_at', 'v.definition'])
    .select(['d.stop_loss_percentage', 'd.max_allocation_percent', 'd.freeze_on_drawdown_percent'])
    .where('d.id', '=', id)
    .where('e.deployment_id', 'is', null)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      versionId: row.strategy_version_id,
      definition: row.definition,
      investment: parseMicro(row.investment_micro),
      limits: {
        stopLossPercentage: Number(row.stop_loss_percentage),
        maxAllocationPercent: Number(row.max_allocation_percent),
        freezeOnDrawdownPercent: Number(row.freeze_on_drawdown_percent),
      },
      deployedAt: parseInstant(row.deployed_at),
    }
  );
}

export type RangeSource = {
  readonly id: BacktestId;
  readonly barsRead: BarsRead;
  readonly costs: EvidenceCosts;
  readonly inputHash: string;
  readonly resultHash: string;
  readonly firstDate: IsoDate;
  readonly lastDate: IsoDate;
};

/**
 * The newest result of a version that knew nothing of what came after the start; where all those are pruned, the first one,
 * as it was published. Undefined while nothing is published.
 */
export async function findRangeSource(
  database: Kysely<Tables>,
  { versionId, deployedAt }: Pick<RangeSubject, 'versionId' | 'deployedAt'>,
): Promise<RangeSource | undefined> {
  const { rows } = await sql<{
    id: BacktestId;
    bars_read: BarsRead;
    costs: EvidenceCosts;
    input_hash: string;
    result_hash: string;
    first_date: IsoDate;
    last_date: IsoDate;
  }>`
    select id, bars_read, costs, input_hash, result_hash, first_date::text, last_date::text from backtests
    where strategy_version_id = ${versionId}
    order by data_as_of <= ${isoText(deployedAt)}::timestamptz desc,
      case when data_as_of <= ${isoText(deployedAt)}::timestamptz then last_date end desc nulls last, created_at
    limit 1`.execute(database);
  const [row] = rows;
  return (
    row && {
      id: row.id,
      barsRead: row.bars_read,
      costs: row.costs,
      inputHash: row.input_hash,
      resultHash: row.result_hash,
      firstDate: row.first_date,
      lastDate: row.last_date,
    }
  );
}

/** `dates`: of each row of the range, by the calendar as known on that day. */
export type StoredRange = ExpectedRange & { readonly dates: readonly IsoDate[] };

export type RangeTerms = { readonly investment: Micro; readonly limits: Limits };

export type NewRange = {
  readonly deploymentId: DeploymentId;
  /** Trading clock. */
  readonly at: Instant;
  readonly engineHash: string;
  readonly source: Pick<RangeSource, 'inputHash' | 'resultHash' | 'firstDate' | 'lastDate'>;
  readonly terms: RangeTerms;
  readonly recordDays: number;
  readonly daysInSample: number;
  readonly made:
    | { readonly range: StoredRange; readonly published: PublishedReturns }
    | { readonly whyNone: NoRange };
};

/** A deployment that has one already keeps it. */
export async function saveExpectedRange(database: Kysely<Tables>, range: NewRange): Promise<void> {
  const { deploymentId, source, made } = range;
  const none = 'whyNone' in made;
  await database.transaction().execute(async (trx) => {
    const written = await trx
      .insertInto('expected_ranges')
      .values({
        deployment_id: deploymentId,
        made_at: isoText(range.at),
        why_none: none ? JSON.stringify(made.whyNone) : null,
        engine_hash: range.engineHash,
        input_hash: source.inputHash,
        result_hash: source.resultHash,
        first_date: source.firstDate,
        last_date: source.lastDate,
        terms: JSON.stringify(range.terms),
        record_days: range.recordDays,
        days_in_sample: range.daysInSample,
        range: none ? null : JSON.stringify(made.range),
        published: none ? null : JSON.stringify(made.published),
      })
      .onConflict((conflict) => conflict.column('deployment_id').doNothing())
      .returning('deployment_id')
      .execute();
    if (written.length === 0 || none) return;
    await trx
      .insertInto('tripwire_evidence')
      .values({ deployment_id: deploymentId, evidence: JSON.stringify(NO_EVIDENCE) })
      .execute();
  });
}

/** Running deployments that have none yet, the oldest first. */
export async function listWithoutRange(
  database: Kysely<Tables>,
  most: number,
): Promise<readonly { readonly id: DeploymentId; readonly versionId: StrategyVersionId }[]> {
  const { rows } = await sql<{ id: DeploymentId; strategy_version_id: StrategyVersionId }>`
    select d.id, d.strategy_version_id from live_deployments d
    where not exists (select from expected_ranges e where e.deployment_id = d.id)
      and exists (select from backtests b where b.strategy_version_id = d.strategy_version_id)
    order by d.created_at limit ${most}`.execute(database);
  return rows.map((row) => ({ id: row.id, versionId: row.strategy_version_id }));
}

export type RangeRow = {
  readonly investment_micro: string;
  readonly tripwire_state: TripwireState;
  readonly tripwire_since: Date | null;
  /** Null while none has been made; then only `investment_micro` and the state are known. */
  readonly made_at: Date | null;
  readonly why_none: NoRange | null;
  readonly engine_hash: string | null;
  readonly result_hash: string | null;
  readonly first_date: string | null;
  readonly last_date: string | null;
  readonly terms: RangeTerms | null;
  readonly record_days: number | null;
  readonly days_in_sample: number | null;
  readonly range: StoredRange | null;
  readonly judged_until: string | null;
  readonly days_judged: number | null;
};

const RANGE_SQL = `
  select d.investment_micro, d.tripwire_state, d.tripwire_since, e.made_at, e.why_none, e.engine_hash, e.result_hash,
    e.first_date::text, e.last_date::text, e.terms, e.record_days, e.days_in_sample, e.range, t.judged_until::text,
    (t.evidence->>'days')::int as days_judged
  from deployments d
  left join expected_ranges e on e.deployment_id = d.id
  left join tripwire_evidence t on t.deployment_id = d.id
  where d.id = $1 and d.user_id = $2`;

/** Of a person's own deployment; undefined if unknown or someone else's. */
export async function readExpectedRange(
  pool: Pool,
  { id, userId }: { readonly id: string; readonly userId: UserId },
): Promise<RangeRow | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await pool.query<RangeRow>(RANGE_SQL, [id, userId]);
  return rows[0];
}

// Targets: what a strategy version wants to hold as of one close, evaluated once for all its deployments.
import { type Kysely, sql } from 'kysely';
import type { TargetWeight } from '#engine/event.ts';
import type { StrategyVersionId, TargetId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

export type TargetRecord = {
  readonly id: TargetId;
  readonly versionId: StrategyVersionId;
  readonly asOf: Instant;
  readonly weights: readonly TargetWeight[];
  /** False on a close without a scheduled rebalance: such a target is recorded and never traded. */
  readonly rebalance: boolean;
  /** Which of those that asked to trade it is, from 1 on; null where it does not. */
  readonly turn: number | null;
};

type NewTarget = Omit<TargetRecord, 'turn'> & { readonly receipt: unknown; readonly hash: string };

/** 'repeated' when this version was already evaluated at this close; the first evaluation stays. */
export async function insertTarget(
  database: Kysely<Tables>,
  target: NewTarget,
): Promise<'written' | 'repeated'> {
  const result = await database
    .insertInto('targets')
    .values({
      id: target.id,
      strategy_version_id: target.versionId,
      as_of: isoText(target.asOf),
      weights: JSON.stringify(target.weights),
      rebalance: target.rebalance,
      turn: target.rebalance ? nextTurn(target.versionId) : null,
      receipt: JSON.stringify(target.receipt),
      hash: target.hash,
      fanned_out_at: target.rebalance ? null : isoText(target.asOf),
    })
    .onConflict((conflict) => conflict.columns(['strategy_version_id', 'as_of']).doNothing())
    .executeTakeFirstOrThrow();
  return result.numInsertedOrUpdatedRows === 1n ? 'written' : 'repeated';
}

/** Closes are evaluated in their order, by one trader at a time. */
const nextTurn = (versionId: StrategyVersionId) => sql<number>`coalesce((
  select turn from targets where strategy_version_id = ${versionId} and turn is not null order by as_of desc limit 1), 0) + 1`;

export type LatestTargets = {
  /** What the version wants to hold now: for a deployment without a target. */
  readonly newest: TargetRecord;
  /** The last target that asked to trade; null before the first. */
  readonly lastRebalance: TargetRecord | null;
};

export async function findLatestTargets(
  database: Kysely<Tables>,
  versionId: StrategyVersionId,
): Promise<LatestTargets | null> {
  const ofVersion = database
    .selectFrom('targets')
    .select(COLUMNS)
    .where('strategy_version_id', '=', versionId)
    .orderBy('as_of', 'desc')
    .limit(1);
  const newest = await ofVersion.executeTakeFirst();
  if (newest === undefined) return null;
  const lastRebalance = newest.rebalance
    ? newest
    : await ofVersion.where('rebalance', '=', true).executeTakeFirst();
  return { newest: targetRecord(newest), lastRebalance: lastRebalance ? targetRecord(lastRebalance) : null };
}

export async function listTargets(
  database: Kysely<Tables>,
  ids: readonly TargetId[],
): Promise<Map<TargetId, TargetRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('targets')
    .select(COLUMNS)
    .where('id', '=', sql<TargetId>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, targetRecord(row)]));
}

/** Marks the target as applied once all deployments of the version follow it or a newer one; a lagging one prevents it. */
export async function markFannedOut(
  database: Kysely<Tables>,
  upTo: TargetRecord,
  at: Instant,
): Promise<void> {
  const behind = sql<boolean>`exists (select from following_deployments d left join targets t on t.id = d.applied_target_id
    where d.strategy_version_id = ${upTo.versionId} and (t.id is null or t.as_of < ${isoText(upTo.asOf)}))`;
  await database
    .updateTable('targets')
    .set({ fanned_out_at: isoText(at) })
    .where('strategy_version_id', '=', upTo.versionId)
    .where('fanned_out_at', 'is', null)
    .where('as_of', '<=', new Date(upTo.asOf))
    .where(({ not }) => not(behind))
    .execute();
}

/** The newest evaluated close of each version. */
export async function lastEvaluations(database: Kysely<Tables>): Promise<Map<StrategyVersionId, Instant>> {
  const { rows } = await sql<{ strategy_version_id: StrategyVersionId; as_of: Date }>`
    select strategy_version_id, max(as_of) as as_of from targets group by strategy_version_id`.execute(
    database,
  );
  return new Map(rows.map((row) => [row.strategy_version_id, parseInstant(row.as_of)]));
}

/** The newest close for which each of these versions has a target; versions without one are absent. */
export async function newestTargetTimes(
  database: Kysely<Tables>,
  versions: readonly StrategyVersionId[],
): Promise<Map<StrategyVersionId, Instant>> {
  const { rows } = await sql<{ id: string; as_of: Date }>`
    select v.id, t.as_of from unnest(${versions}::uuid[]) as v (id)
    cross join lateral (
      select as_of from targets where strategy_version_id = v.id order by as_of desc limit 1) t`.execute(
    database,
  );
  return new Map(rows.map((row) => [row.id as StrategyVersionId, parseInstant(row.as_of)]));
}

const COLUMNS = ['id', 'strategy_version_id', 'as_of', 'weights', 'rebalance', 'turn'] as const;

type TargetRow = {
  id: string;
  strategy_version_id: StrategyVersionId;
  as_of: Date;
  weights: unknown;
  rebalance: boolean;
  turn: number | null;
};

function targetRecord(row: TargetRow): TargetRecord {
  return {
    id: row.id as TargetId,
    versionId: row.strategy_version_id,
    asOf: parseInstant(row.as_of),
    weights: row.weights as readonly TargetWeight[],
    rebalance: row.rebalance,
    turn: row.turn,
  };
}

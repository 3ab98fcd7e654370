// Which deployments of the given shards have work due: ids only, one query per question.
import { type Kysely, sql } from 'kysely';
import type { DeploymentId, StrategyVersionId, Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText } from '#units/instant.ts';
import { IS_SETTLED } from '../postgres/settled.ts';
import type { Tables } from '../tables.ts';
import type { LatestTargets } from '../strategies/targets.ts';

/** By version: deployments with no target, or a target older than the version's last rebalance; neighbours together. */
export async function listDeploymentsBehind(
  database: Kysely<Tables>,
  latest: ReadonlyMap<StrategyVersionId, LatestTargets>,
  shards: readonly number[],
): Promise<Map<StrategyVersionId, DeploymentId[]>> {
  const versions = [...latest.keys()];
  const since = [...latest.values()].map(({ lastRebalance }) => lastRebalance && isoText(lastRebalance.asOf));
  const { rows } = await sql<{ id: DeploymentId; strategy_version_id: StrategyVersionId }>`
    select d.id, d.strategy_version_id from following_deployments d
    join unnest(${versions}::uuid[], ${since}::timestamptz[]) as v (id, since) on v.id = d.strategy_version_id
    left join targets t on t.id = d.applied_target_id
    where (t.id is null or t.as_of < v.since) and ${IS_SETTLED}
      and shard_of(d.broker_connection_id) = any(${shards}::int[])
    order by d.id`.execute(database);
  const behind = new Map<StrategyVersionId, DeploymentId[]>();
  for (const row of rows) {
    const version = row.strategy_version_id;
    const ids = behind.get(version) ?? [];
    ids.push(row.id);
    behind.set(version, ids);
  }
  return behind;
}

/** Deployments with a pending command, or starting or stopping. */
export async function listCommandedDeployments(
  database: Kysely<Tables>,
  shards: readonly number[],
): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: DeploymentId }>`
    select id from deployments d
    where (requested_status is not null or status in ('pending', 'stopping', 'liquidating')) and ${IS_SETTLED}
      and shard_of(broker_connection_id) = any(${shards}::int[])
    order by id`.execute(database);
  return rows.map((row) => row.id);
}

export type Retiring = {
  readonly id: DeploymentId;
  readonly versionId: StrategyVersionId;
  /** The day after whose close it ends. */
  readonly endsOn: IsoDate;
};

/** Deployments of retired strategies that have a last day, and have not been asked to end. */
export async function listRetiring(
  database: Kysely<Tables>,
  shards: readonly number[],
): Promise<readonly Retiring[]> {
  const ending = await database
    .selectFrom('strategies')
    .select('id')
    .where('ends_on', 'is not', null)
    .execute();
  if (ending.length === 0) return [];
  const { rows } = await sql<Retiring>`
    select d.id, d.strategy_version_id as "versionId", s.ends_on::text as "endsOn"
    from live_deployments d join strategies s on s.id = d.strategy_id
    where d.strategy_id = any(${ending.map(({ id }) => id)}::uuid[])
      and d.status not in ('stopping', 'liquidating')
      and coalesce(d.requested_status, '') not in ('stopped', 'liquidated')
      and shard_of(d.broker_connection_id) = any(${shards}::int[])
    order by d.id`.execute(database);
  return rows;
}

/** Deployments that hold one of these. */
export async function listHoldersOf(
  database: Kysely<Tables>,
  symbols: readonly Symbol[],
  shards: readonly number[],
): Promise<DeploymentId[]> {
  if (symbols.length === 0) return [];
  const { rows } = await sql<{ id: DeploymentId }>`
    select distinct p.deployment_id as id from positions p join deployments d on d.id = p.deployment_id
    where p.symbol = any(${symbols}::text[]) and shard_of(d.broker_connection_id) = any(${shards}::int[])
    order by 1`.execute(database);
  return rows.map((row) => row.id);
}

/**
 * Deployments with positions at connections whose owner has allowed orders without market data after `since`, and the latest
 * time of that: real clock, as the database writes it. Null: none but the time.
 */
export async function listNewlyAllowed(
  database: Kysely<Tables>,
  since: string | null,
  shards: readonly number[],
): Promise<{ readonly ids: readonly DeploymentId[]; readonly latest: string }> {
  const { rows } = await sql<{ ids: DeploymentId[]; latest: string }>`
    select greatest(coalesce(max(c.without_market_data_since), '-infinity'), ${since}::timestamptz)::text as latest,
      coalesce(array_agg(distinct d.id) filter (where c.without_market_data_since > ${since}::timestamptz
        and d.id is not null), '{}') as ids
    from broker_connections c left join live_deployments d on d.broker_connection_id = c.id
      and exists (select from positions p where p.deployment_id = d.id)
    where c.without_market_data_since is not null and shard_of(c.id) = any(${shards}::int[])`.execute(
    database,
  );
  return rows[0]!;
}

/** Running deployments last marked before `since`, except those that wait for a price of a holding. */
export async function listDeploymentsDue(
  database: Kysely<Tables>,
  since: Instant,
  {
    lease,
    unpriced,
  }: { readonly lease: { readonly shards: readonly number[] }; readonly unpriced: readonly Symbol[] },
): Promise<DeploymentId[]> {
  const priced =
    unpriced.length === 0
      ? sql``
      : sql`and not exists (select from positions p
          where p.deployment_id = d.id and p.symbol = any(${unpriced}::text[]))`;
  const { rows } = await sql<{ id: DeploymentId }>`
    select id from live_deployments as d
    where status <> 'pending' ${priced} and ${IS_SETTLED}
      and (marked_at is null or marked_at <= ${isoText(since)})
      and shard_of(broker_connection_id) = any(${lease.shards}::int[])
    order by id`.execute(database);
  return rows.map((row) => row.id);
}

/** Deployments of these versions that were running before an instant and have not ended. */
export async function listRunningDeployments(
  database: Kysely<Tables>,
  versions: readonly StrategyVersionId[],
  { startedBefore, shards }: { readonly startedBefore: Instant; readonly shards: readonly number[] },
): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: DeploymentId }>`
    select id from live_deployments
    where strategy_version_id = any(${versions}::uuid[]) and deployed_at < ${isoText(startedBefore)}
      and status <> 'pending'
      and shard_of(broker_connection_id) = any(${shards}::int[])
    order by id`.execute(database);
  return rows.map((row) => row.id);
}

// Which deployments wait for something: ids only, each question answered by one query.
import { type Kysely, sql } from 'kysely';
import type { DeploymentId, StrategyVersionId, Symbol } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from './tables.ts';
import type { StandingTargets } from './targets.ts';

/** Those that trade a version and follow no target, or one older than its last rebalance. */
export async function listDeploymentsBehind(
  database: Kysely<Tables>,
  versionId: StrategyVersionId,
  standing: StandingTargets,
): Promise<DeploymentId[]> {
  const since = standing.lastRebalance;
  const { rows } = await sql<{ id: string }>`
    select d.id from deployments d
    left join targets t on t.id = d.applied_target_id
    where d.strategy_version_id = ${versionId} and d.status in ('active', 'frozen') and d.wished_status is null
      and (t.id is null ${since ? sql`or t.as_of < ${isoText(since.asOf)}` : sql``})
    order by d.id`.execute(database);
  return rows.map((row) => row.id as DeploymentId);
}

/** Those with a wish that is not a fact yet, and those on their way into or out of trading. */
export async function listDeploymentsWithWishes(database: Kysely<Tables>): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: string }>`
    select id from deployments
    where wished_status is not null or status in ('pending', 'stopping', 'liquidating') order by id`.execute(
    database,
  );
  return rows.map((row) => row.id as DeploymentId);
}

/** Those that hold one of these. */
export async function listHoldersOf(
  database: Kysely<Tables>,
  symbols: readonly Symbol[],
): Promise<DeploymentId[]> {
  if (symbols.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select distinct deployment_id as id from positions where symbol = any(${symbols}::text[]) order by 1`.execute(
    database,
  );
  return rows.map((row) => row.id as DeploymentId);
}

/** Those that run and were last marked before `since`. */
export async function listDeploymentsDue(database: Kysely<Tables>, since: Instant): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: string }>`
    select id from deployments
    where status in ('active', 'paused', 'frozen', 'stopping', 'liquidating', 'failed')
      and (marked_at is null or marked_at <= ${isoText(since)})
    order by id`.execute(database);
  return rows.map((row) => row.id as DeploymentId);
}

/** Those of these versions that were running before an instant and have not ended. */
export async function listRunningDeployments(
  database: Kysely<Tables>,
  versions: readonly StrategyVersionId[],
  startedBefore: Instant,
): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: string }>`
    select id from deployments
    where strategy_version_id = any(${versions}::uuid[]) and deployed_at < ${isoText(startedBefore)}
      and status in ('active', 'paused', 'frozen', 'stopping', 'liquidating', 'failed') order by id`.execute(
    database,
  );
  return rows.map((row) => row.id as DeploymentId);
}

// The strategy versions that somebody may trade: the newest of each published strategy, and every deployed one.
import { type Kysely, sql } from 'kysely';
import type { StrategyVersionId } from '#units/identifiers.ts';
import type { Tables } from './tables.ts';

export type VersionRecord = {
  readonly id: StrategyVersionId;
  readonly strategyName: string;
  readonly definition: unknown;
  readonly definitionHash: string;
};

/** Ids only: versions never change, so a reader keeps those it has. */
export async function listTradedVersionIds(database: Kysely<Tables>): Promise<StrategyVersionId[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct on (v.strategy_id) v.id from strategy_versions v
    join strategies s on s.id = v.strategy_id where s.status = 'published'
    order by v.strategy_id, v.number desc`.execute(database);
  const deployed = await sql<{ id: string }>`
    select distinct strategy_version_id as id from deployments
    where status in ('pending', 'active', 'paused', 'frozen', 'stopping', 'liquidating', 'failed')`.execute(
    database,
  );
  return [...new Set([...rows, ...deployed.rows].map((row) => row.id as StrategyVersionId))];
}

export async function getVersions(
  database: Kysely<Tables>,
  ids: readonly StrategyVersionId[],
): Promise<VersionRecord[]> {
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom('strategy_versions as v')
    .innerJoin('strategies as s', 's.id', 'v.strategy_id')
    .select(['v.id', 'v.definition', 'v.definition_hash', 's.name'])
    .where('v.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return rows.map((row) => ({
    id: row.id as StrategyVersionId,
    strategyName: row.name,
    definition: row.definition,
    definitionHash: row.definition_hash,
  }));
}

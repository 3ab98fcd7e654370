// The tradable strategy versions: the newest of each published strategy, and every deployed one.
import { type Kysely, sql } from 'kysely';
import type { StrategyId, StrategyVersionId } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

export type VersionRecord = {
  readonly id: StrategyVersionId;
  readonly strategyName: string;
  readonly definition: unknown;
  readonly definitionHash: string;
};

/** Ids only: versions never change, so a reader caches those it has. */
export async function listTradedVersionIds(database: Kysely<Tables>): Promise<StrategyVersionId[]> {
  const { rows } = await sql<{ id: StrategyVersionId }>`
    select distinct on (v.strategy_id) v.id from strategy_versions v
    join strategies s on s.id = v.strategy_id where s.status = 'published'
    order by v.strategy_id, v.number desc`.execute(database);
  const deployed = await sql<{ id: StrategyVersionId }>`
    select distinct strategy_version_id as id from live_deployments`.execute(database);
  return [...new Set([...rows, ...deployed.rows].map((row) => row.id))];
}

/** The newest definitions of the drafts that read bars shorter than a day. */
export async function listDraftsOfParts(database: Kysely<Tables>): Promise<unknown[]> {
  const { rows } = await sql<{ definition: unknown }>`
    select v.definition from strategies s join lateral (
      select definition from strategy_versions where strategy_id = s.id order by number desc limit 1) v on true
    where s.status = 'draft' and v.definition ->> 'interval' is not null`.execute(database);
  return rows.map(({ definition }) => definition);
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
    .where('v.id', '=', sql<StrategyVersionId>`any(${ids}::uuid[])`)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    strategyName: row.name,
    definition: row.definition,
    definitionHash: row.definition_hash,
  }));
}

type CommittedVersionRecord = {
  readonly strategyId: StrategyId;
  readonly strategyName: string;
  readonly versionId: StrategyVersionId;
  readonly number: number;
  readonly committedAt: Instant;
  readonly definition: unknown;
};

/** Nobody takes a performance fee on private rules. */
type WrittenBy = { readonly isPrivate: boolean };

export async function findVersion(
  database: Kysely<Tables>,
  id: StrategyVersionId,
): Promise<(Omit<CommittedVersionRecord, 'strategyName' | 'number'> & WrittenBy) | undefined> {
  const row = await database
    .selectFrom('strategy_versions as v')
    .innerJoin('strategies as s', 's.id', 'v.strategy_id')
    .select(['v.id', 'v.strategy_id', 'v.committed_at', 'v.definition', 's.owner_id'])
    .where('v.id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      strategyId: row.strategy_id,
      versionId: row.id,
      committedAt: parseInstant(row.committed_at),
      definition: row.definition,
      isPrivate: row.owner_id !== null,
    }
  );
}

/** The newest version of every strategy that is offered or deployed, featured ones first; a private one only while it is deployed. */
export async function listCommittedVersions(database: Kysely<Tables>): Promise<CommittedVersionRecord[]> {
  const { rows } = await sql<{
    strategy_id: StrategyId;
    name: string;
    id: StrategyVersionId;
    number: number;
    committed_at: Date;
    definition: unknown;
  }>`
    select v.strategy_id, s.name, v.id, v.number, v.committed_at, v.definition from strategies s
    join lateral (
      select * from strategy_versions where strategy_id = s.id order by number desc limit 1) v on true
    where s.status <> 'retired'
      and (s.owner_id is null or exists (select from live_deployments d where d.strategy_id = s.id))
    order by s.is_featured desc, s.name`.execute(database);
  return rows.map((row) => ({
    strategyId: row.strategy_id,
    strategyName: row.name,
    versionId: row.id,
    number: row.number,
    committedAt: parseInstant(row.committed_at),
    definition: row.definition,
  }));
}

// Track records that the provider's staff imported: one at a time for each strategy, and those that were replaced or withdrawn.
import { type Kysely, sql } from 'kysely';
import type { StrategyId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import type { Transaction } from '../postgres/database.ts';
import type { Tables } from '../tables.ts';

export type ClaimedRecord = {
  readonly id: string;
  readonly strategyId: StrategyId;
  readonly versionId: StrategyVersionId;
  readonly versionNumber: number;
  readonly source: string;
  readonly kind: 'returns' | 'values';
  readonly importedAt: Date;
  /** How many of the strategy were replaced or withdrawn before. */
  readonly earlier: number;
};

/** Parallel: ISO dates, and what money was worth on each, 1 at the start. */
export type ClaimedGrowth = { readonly labels: readonly string[]; readonly data: readonly number[] };

/** Of those of the strategies that have one. */
export async function listClaimedRecords(
  database: Kysely<Tables>,
  strategies: readonly StrategyId[],
): Promise<ReadonlyMap<StrategyId, ClaimedRecord>> {
  const { rows } = await sql<ClaimedRecord>`
    select c.id, c.strategy_id as "strategyId", c.strategy_version_id as "versionId", v.number as "versionNumber", c.source, c.kind,
      c.imported_at as "importedAt", (select count(*)::int from claimed_records o
        where o.strategy_id = c.strategy_id and o.ended_at is not null) as earlier
    from claimed_records c join strategy_versions v on v.id = c.strategy_version_id
    where c.strategy_id = any(${strategies}::uuid[]) and c.ended_at is null`.execute(database);
  return new Map(rows.map((row) => [row.strategyId, row]));
}

export async function readClaimedGrowth(database: Kysely<Tables>, id: string): Promise<ClaimedGrowth> {
  const { rows } = await sql<ClaimedGrowth>`
    select labels, growth as data from claimed_records where id = ${id}`.execute(database);
  return rows[0]!;
}

export type NewClaim = Pick<ClaimedRecord, 'id' | 'strategyId' | 'versionId' | 'source' | 'kind'> & {
  readonly fileHash: string;
  readonly growth: ClaimedGrowth;
  readonly by: UserId;
};

/** Replaces the one before. The caller holds the lock of the strategy. */
export async function importClaim(trx: Transaction, claim: NewClaim): Promise<void> {
  await endClaim(trx, claim.strategyId, 'replaced');
  const { labels, data } = claim.growth;
  await trx
    .insertInto('claimed_records')
    .values({
      id: claim.id,
      strategy_id: claim.strategyId,
      strategy_version_id: claim.versionId,
      source: claim.source,
      kind: claim.kind,
      file_hash: claim.fileHash,
      first_date: labels[0]!,
      last_date: labels.at(-1)!,
      labels: JSON.stringify(labels),
      growth: JSON.stringify(data),
      imported_by: claim.by,
    })
    .execute();
}

/** False where there is none. The caller holds the lock of the strategy. */
export async function endClaim(
  trx: Transaction,
  strategyId: StrategyId,
  as: 'replaced' | 'withdrawn',
): Promise<boolean> {
  const { rows } = await sql`
    update claimed_records set ended_at = clock_timestamp(), ended_as = ${as}
    where strategy_id = ${strategyId} and ended_at is null returning id`.execute(trx);
  return rows.length > 0;
}

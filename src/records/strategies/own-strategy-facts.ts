import { sql } from 'kysely';
import type { OwnStrategyFacts } from '#rules/deployments/own-strategy.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Database } from '../postgres/database.ts';
import type { StrategyRecord } from './strategies.ts';

/** What its writer has shown of a strategy; null for one of the provider. */
export async function findOwnStrategyFacts(
  database: Database,
  { ownerId, versionId }: Pick<StrategyRecord, 'ownerId' | 'versionId'>,
): Promise<OwnStrategyFacts | null> {
  return ownerId === null ? null : { practisedDays: await countPractisedDays(database, ownerId, versionId) };
}

async function countPractisedDays(
  database: Database,
  userId: UserId,
  versionId: StrategyRecord['versionId'],
): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    select count(distinct m.date)::int as days from deployments d join equity_marks m on m.deployment_id = d.id
    where d.user_id = ${userId} and d.strategy_version_id = ${versionId} and d.mode = 'practice'`.execute(
    database,
  );
  return rows[0]!.days;
}

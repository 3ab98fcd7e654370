import { sql } from 'kysely';
import type { AttackVerdict } from '#engine/evidence/attack/attack-result.ts';
import type { OwnStrategyFacts } from '#rules/deployments/own-strategy.ts';
import type { Database } from '../postgres/database.ts';
import type { StrategyRecord } from './strategies.ts';

/** What its writer has shown of a strategy; null for one of the provider. */
export async function findOwnStrategyFacts(
  database: Database,
  { ownerId, versionId }: Pick<StrategyRecord, 'ownerId' | 'versionId'>,
): Promise<OwnStrategyFacts | null> {
  if (ownerId === null) return null;
  const { rows } = await sql<{ days: number; verdict: AttackVerdict | null; accepted: boolean }>`
    select a.verdict, exists (select from attack_acceptances c where c.attack_id = a.id and c.user_id = ${ownerId}) as accepted,
      (select count(distinct m.date)::int from deployments d join equity_marks m on m.deployment_id = d.id
        where d.user_id = ${ownerId} and d.strategy_version_id = ${versionId} and d.mode = 'practice') as days
    from (select) one left join lateral (select id, verdict from attacks where strategy_version_id = ${versionId}
      order by created_at desc limit 1) a on true`.execute(database);
  const { days, verdict, accepted: isAccepted } = rows[0]!;
  return { practisedDays: days, attack: verdict && { verdict, isAccepted } };
}

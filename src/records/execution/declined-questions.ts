// Orders that a broker did not take because we declined its question, with no order of their position taken since.
import { type Kysely, sql } from 'kysely';
import type { DeclinedQuestion } from '#engine/incidents/question-incident.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

/** Decided at `since` or later. Protective stops are left out: a position without its stop is told as that. */
export async function listDeclinedQuestions(
  database: Kysely<Tables>,
  { connection, since }: { readonly connection: BrokerConnectionId; readonly since: Instant },
): Promise<readonly DeclinedQuestion[]> {
  // The time is in a query of its own, which the planner does not look into: it plans the statement once for a connection.
  const { rows } = await sql<DeclinedQuestion>`
    select o.symbol, o.purpose <> 'rebalance' as "isExit", o.reason_params->>'topic' as topic, o.reason_params->>'question' as question
    from live_deployments d join orders o on o.deployment_id = d.id
    where d.broker_connection_id = ${connection} and o.broker_connection_id = ${connection}
      and o.decided_at >= (select ${isoText(since)}::timestamptz) and o.reason_code = 'not_confirmed' and o.purpose <> 'protective'
      and not exists (select from orders a where a.deployment_id = o.deployment_id and a.symbol = o.symbol
        and a.purpose <> 'protective' and a.visibility <> 'never_shown' and a.status <> 'rejected'
        and a.decided_at > o.decided_at)
    order by o.decided_at desc, o.id`.execute(database);
  return rows;
}

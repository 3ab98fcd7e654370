// Positions whose stop cannot be placed at the broker: the last one was refused, or could not be sent several times.
import { type Kysely, sql } from 'kysely';
import type { UnprotectedPosition } from '#engine/execution/stops/unprotected-position.ts';
import type { BrokerConnectionId, DeploymentId, OrderId, Symbol } from '#units/identifiers.ts';
import { parseReason, type ReasonColumns } from './orders.ts';
import type { Tables } from '../tables.ts';

/** A stop r that was refused, with none accepted for its position since. */
export const REFUSED_IN_A_ROW = sql`r.purpose = 'protective' and r.status = 'rejected'
  and not exists (select from orders a where a.deployment_id = r.deployment_id and a.symbol = r.symbol
    and a.purpose = 'protective' and a.visibility <> 'never_shown' and a.status <> 'rejected'
    and a.decided_at > r.decided_at)`;

export async function listUnprotected(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<UnprotectedPosition[]> {
  const { rows } = await sql<
    { deploymentId: DeploymentId; symbol: Symbol; refusals: number } & ReasonColumns
  >`
    (select distinct on (r.deployment_id, r.symbol) r.deployment_id as "deploymentId", r.symbol, r.reason_code,
      r.reason_params, count(*) over (partition by r.deployment_id, r.symbol)::int as refusals
    from following_deployments d join positions p on p.deployment_id = d.id
      join orders r on r.deployment_id = d.id and r.symbol = p.symbol
    where d.broker_connection_id = ${connection} and d.stop_loss_percentage > 0 and ${REFUSED_IN_A_ROW}
      and r.decided_at >= p.opened_at
    order by r.deployment_id, r.symbol, r.decided_at desc, r.attempt desc)
    union all
    select r.deployment_id, r.symbol, r.reason_code, r.reason_params, r.send_tries
    from following_deployments d join positions p on p.deployment_id = d.id
      join orders r on r.deployment_id = d.id and r.symbol = p.symbol
    where d.broker_connection_id = ${connection} and r.broker_connection_id = ${connection}
      and r.purpose = 'protective' and r.status = 'intended' and r.reason_code = 'not_sent'
      and r.send_tries >= ${UNSENT_MIN}`.execute(database);
  return rows.map(({ deploymentId, symbol, refusals, ...columns }) => ({
    deploymentId,
    symbol,
    refusals,
    reason: (parseReason(columns) ?? { code: 'rejected', said: '' }) as UnprotectedPosition['reason'],
  }));
}

/** A stop is a task once it could not be sent so often: a broker may stumble for a moment. */
const UNSENT_MIN = 3;

/** Whether another stop of its position was refused before this one, with none accepted since. */
export async function wasRefusedBefore(trx: Kysely<Tables>, stop: OrderId): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from orders o join orders r on r.deployment_id = o.deployment_id and r.symbol = o.symbol
      where o.id = ${stop} and r.id <> o.id and ${REFUSED_IN_A_ROW}) as found`.execute(trx);
  return rows[0]!.found;
}

// Positions whose stop the broker refuses: the last stop was refused, and none works.
import { type Kysely, sql } from 'kysely';
import type { UnprotectedPosition } from '#engine/execution/stops/unprotected-position.ts';
import type { EndReason } from '#engine/execution/orders/order-reason.ts';
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
    select distinct on (r.deployment_id, r.symbol) r.deployment_id as "deploymentId", r.symbol, r.reason_code,
      r.reason_params, count(*) over (partition by r.deployment_id, r.symbol)::int as refusals
    from following_deployments d join positions p on p.deployment_id = d.id
      join orders r on r.deployment_id = d.id and r.symbol = p.symbol
    where d.broker_connection_id = ${connection} and d.stop_loss_percentage > 0 and ${REFUSED_IN_A_ROW}
      and r.decided_at >= p.opened_at
    order by r.deployment_id, r.symbol, r.decided_at desc, r.attempt desc`.execute(database);
  return rows.map(({ deploymentId, symbol, refusals, ...columns }) => ({
    deploymentId,
    symbol,
    refusals,
    reason: (parseReason(columns) ?? { code: 'rejected', said: '' }) as EndReason,
  }));
}

/** Whether another stop of its position was refused before this one, with none accepted since. */
export async function wasRefusedBefore(trx: Kysely<Tables>, stop: OrderId): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from orders o join orders r on r.deployment_id = o.deployment_id and r.symbol = o.symbol
      where o.id = ${stop} and r.id <> o.id and ${REFUSED_IN_A_ROW}) as found`.execute(trx);
  return rows[0]!.found;
}

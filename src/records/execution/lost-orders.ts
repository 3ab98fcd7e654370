// After a restore of the database: orders that the broker has under our ids and that the records do not, and who may have
// decided them.
import { type Kysely, sql } from 'kysely';
import type { Suspect } from '#engine/execution/reconciliation/lost-order.ts';
import type { OrderStatus } from '#engine/order/order-status.ts';
import type {
  BrokerConnectionId,
  ClientOrderId,
  DeploymentId,
  OrderId,
  TargetId,
} from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

export type KnownOrder = { readonly id: OrderId; readonly status: OrderStatus };

export async function findKnownOrders(
  database: Kysely<Tables>,
  ids: readonly ClientOrderId[],
): Promise<ReadonlyMap<ClientOrderId, KnownOrder>> {
  const { rows } = await sql<KnownOrder & { readonly client_order_id: ClientOrderId }>`
    select client_order_id, id, status from orders where client_order_id = any(${[...ids]}::text[])`.execute(
    database,
  );
  return new Map(rows.map(({ client_order_id, ...known }) => [client_order_id, known]));
}

/** The deployments of a connection, with the targets from shortly before the restored moment on. */
export async function listSuspects(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<readonly Suspect[]> {
  const { rows } = await sql<{ id: DeploymentId; stop_loss: number; targets: string[] }>`
    select d.id, d.stop_loss_percentage::float8 as stop_loss,
      array(select t.id::text from targets t where t.strategy_version_id = d.strategy_version_id
        and t.as_of > coalesce((select min(r.evaluated_to) from restorations r join unsettled_connections u
          on u.restoration_id = r.id where u.connection_id = ${connection}), '-infinity') - interval '7 days'
        order by t.as_of) as targets
    from deployments d where d.broker_connection_id = ${connection} order by d.id`.execute(database);
  return rows.map(({ id, stop_loss, targets }) => ({
    deploymentId: id,
    stopLossPercentage: stop_loss,
    targets,
  }));
}

/** A target whose orders were sent has been applied: it is not applied again at other prices. */
export async function noteFollowed(
  trx: Kysely<Tables>,
  deployment: DeploymentId,
  target: TargetId,
): Promise<void> {
  await sql`update deployments d set applied_target_id = t.id, revision = d.revision + 1 from targets t
    where d.id = ${deployment} and t.id = ${target}
      and not exists (select from targets a where a.id = d.applied_target_id and a.as_of >= t.as_of)`.execute(
    trx,
  );
}

// A person's decision about an order of unknown fate, until the trader has carried it out.
import { type Kysely, sql } from 'kysely';
import type { BrokerConnectionId, OrderId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

type OrderResolution = {
  readonly orderId: OrderId;
  readonly brokerOrderId: string | null;
  readonly because: string;
  readonly decidedBy: string;
};

/** The order of this client id, when its fate is unknown. */
export async function lockUnconfirmedOrder(
  trx: Kysely<Tables>,
  clientOrderId: string,
): Promise<OrderId | undefined> {
  const { rows } = await sql<{ id: OrderId }>`
    select id from orders where client_order_id = ${clientOrderId} and status = 'unknown' for update`.execute(
    trx,
  );
  return rows[0]?.id;
}

/** Whether another order of the same brokerage account has this broker order id. */
export async function isOrderOfOthers(
  trx: Kysely<Tables>,
  { orderId, brokerOrderId }: { readonly orderId: OrderId; readonly brokerOrderId: string },
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from orders o join broker_connections c on c.id = o.broker_connection_id
      join broker_connections other on other.account_id = c.account_id
      join orders taken on taken.broker_connection_id = other.id and taken.broker_order_id = ${brokerOrderId}
      where o.id = ${orderId} and taken.id <> o.id) as found`.execute(trx);
  return rows[0]!.found;
}

/**
 * `brokerOrderId` null: the broker never had the order. Of several decisions on one order of unknown fate the last one
 * counts; one already carried out does not block a new one: the order's fate is unknown again. The caller holds the lock
 * of the order.
 */
export async function resolveOrder(
  trx: Kysely<Tables>,
  { orderId, brokerOrderId, because, decidedBy }: OrderResolution,
): Promise<void> {
  const verdict = brokerOrderId === null ? 'never_arrived' : 'arrived';
  await sql`
    insert into order_resolutions (order_id, verdict, broker_order_id, because, decided_by)
    values (${orderId}, ${verdict}, ${brokerOrderId}, ${because}, ${decidedBy})
    on conflict (order_id) do update set verdict = excluded.verdict, broker_order_id = excluded.broker_order_id,
      because = excluded.because, decided_by = excluded.decided_by, decided_at = clock_timestamp(),
      carried_out_at = null`.execute(trx);
}

/** A decision s covers the current silence of an order o, not an earlier one. */
export const STANDS = sql`s.carried_out_at is null and o.status = 'unknown'
  and (o.unknown_since is null or s.decided_at >= o.unknown_since)`;

/** Orders that a person has decided about. */
export async function listResolved(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<readonly OrderId[]> {
  const { rows } = await sql<{ id: OrderId }>`
    select o.id from order_resolutions s join orders o on o.id = s.order_id
    where o.broker_connection_id = ${connection} and ${STANDS} order by s.decided_at, o.id`.execute(database);
  return rows.map(({ id }) => id);
}

/** The current decision; the caller holds the lock of the order, so no one can change the decision meanwhile. */
export async function findResolution(
  trx: Kysely<Tables>,
  orderId: OrderId,
): Promise<OrderResolution | undefined> {
  const { rows } = await sql<OrderResolution>`
    select s.order_id as "orderId", s.broker_order_id as "brokerOrderId", s.because, s.decided_by as "decidedBy"
    from order_resolutions s join orders o on o.id = s.order_id
    where s.order_id = ${orderId} and ${STANDS}`.execute(trx);
  return rows[0];
}

export async function markResolutionDone(trx: Kysely<Tables>, id: OrderId): Promise<void> {
  await sql`update order_resolutions set carried_out_at = clock_timestamp() where order_id = ${id}`.execute(
    trx,
  );
}

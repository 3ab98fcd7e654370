// A person's decision about an unresolved order, until the trader has carried it out.
import { type Kysely, sql } from 'kysely';
import type { BrokerConnectionId, OrderId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

type OrderResolution = {
  readonly orderId: OrderId;
  readonly brokerOrderId: string | null;
  readonly because: string;
  readonly decidedBy: string;
};

/**
 * An order o that only a person can resolve unless the broker does: its fate is unknown, or its cancellation is not
 * confirmed. See isUnresolved.
 */
export const UNRESOLVED = sql`(o.status = 'unknown'
  or (o.status = 'working' and o.reason_code = 'cancel_not_confirmed'))`;

/** Real clock: since when an order o has been so; null for an order of before this was recorded. */
export const UNRESOLVED_SINCE = sql`(case o.status when 'unknown' then o.unknown_since else o.reason_since end)`;

/** The order of this client id, when it is unresolved. */
export async function findUnconfirmedOrderId(
  database: Kysely<Tables>,
  clientOrderId: string,
): Promise<OrderId | undefined> {
  const { rows } = await sql<{ id: OrderId }>`
    select o.id from orders o where o.client_order_id = ${clientOrderId} and ${UNRESOLVED}`.execute(database);
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
 * `brokerOrderId` null: the broker never had the order. Of several decisions on one unresolved order the last one
 * counts; one already carried out does not block a new one: the order is unresolved again. The caller holds the lock
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
export const STANDS = sql`s.carried_out_at is null and ${UNRESOLVED}
  and (${UNRESOLVED_SINCE} is null or s.decided_at >= ${UNRESOLVED_SINCE})`;

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

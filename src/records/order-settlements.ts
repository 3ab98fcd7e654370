// What a person decided about an order of unknown fate, until the trader has carried it out.
import { type Kysely, sql } from 'kysely';
import type { BrokerConnectionId, OrderId } from '#units/identifiers.ts';
import type { Tables } from './tables.ts';

export type OrderSettlement = {
  readonly orderId: OrderId;
  readonly brokerOrderId: string | null;
  readonly because: string;
  readonly decidedBy: string;
};

/** The order of this client id, when its fate is unknown. */
export async function findUnknownOrder(
  trx: Kysely<Tables>,
  clientOrderId: string,
): Promise<OrderId | undefined> {
  const { rows } = await sql<{ id: OrderId }>`
    select id from orders where client_order_id = ${clientOrderId} and status = 'unknown' for update`.execute(
    trx,
  );
  return rows[0]?.id;
}

/** `brokerOrderId` null says that the broker never had it. A later decision takes the place of one not carried out. */
export async function settleOrder(
  trx: Kysely<Tables>,
  { orderId, brokerOrderId, because, decidedBy }: OrderSettlement,
): Promise<void> {
  const verdict = brokerOrderId === null ? 'not_there' : 'is_there';
  await sql`
    insert into order_settlements (order_id, verdict, broker_order_id, because, decided_by)
    values (${orderId}, ${verdict}, ${brokerOrderId}, ${because}, ${decidedBy})
    on conflict (order_id) do update set verdict = excluded.verdict, broker_order_id = excluded.broker_order_id,
      because = excluded.because, decided_by = excluded.decided_by, decided_at = clock_timestamp()
    where order_settlements.carried_out_at is null`.execute(trx);
}

export async function listSettlements(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<readonly OrderSettlement[]> {
  const { rows } = await sql<OrderSettlement>`
    select s.order_id as "orderId", s.broker_order_id as "brokerOrderId", s.because, s.decided_by as "decidedBy"
    from order_settlements s join orders o on o.id = s.order_id
    where o.broker_connection_id = ${connection} and s.carried_out_at is null and o.status = 'unknown'`.execute(
    database,
  );
  return rows;
}

export async function markSettlementDone(trx: Kysely<Tables>, id: OrderId): Promise<void> {
  await sql`update order_settlements set carried_out_at = clock_timestamp() where order_id = ${id}`.execute(
    trx,
  );
}

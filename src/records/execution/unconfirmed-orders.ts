// Unconfirmed orders with all that a person needs to resolve them, and executions that could not be booked.
import { type Kysely, sql } from 'kysely';
import type { ExecutionHold } from '#engine/execution/reconciliation/execution-hold.ts';
import type { OrderReason } from '#engine/execution/orders/order-reason.ts';
import type { OrderPurpose, Side } from '#engine/order/order.ts';
import type { BrokerSessionState } from '#engine/execution/connection/session-state.ts';
import type {
  BrokerAccountId,
  ClientOrderId,
  DeploymentId,
  ExecutionId,
  OrderId,
  Symbol,
} from '#units/identifiers.ts';
import { parseQuantity, type Quantity, quantity } from '#units/quantity.ts';
import { STANDS, UNRESOLVED, UNRESOLVED_SINCE } from './order-resolutions.ts';
import { type HoldColumns, parseHold } from './broker-inbox.ts';
import { parseReason, type ReasonColumns } from './orders.ts';
import type { Tables } from '../tables.ts';

export type UnconfirmedOrder = {
  readonly id: OrderId;
  readonly clientOrderId: ClientOrderId;
  readonly deploymentId: DeploymentId;
  readonly client: string;
  readonly strategyName: string;
  readonly brokerName: string;
  readonly accountId: BrokerAccountId;
  readonly symbol: Symbol;
  readonly side: Side;
  readonly purpose: OrderPurpose;
  readonly quantity: Quantity;
  readonly filled: Quantity;
  readonly limitPrice: number;
  readonly currency: string | null;
  /** Trading clock. */
  readonly sentAt: Date | null;
  /** Real clock; null for an order that was unknown before this column existed. */
  readonly unknownSince: Date | null;
  /** What the broker reported, or what is known instead. */
  readonly reason: OrderReason | null;
  readonly brokerOrderId: string | null;
  readonly session: BrokerSessionState | null;
  /** Executions held because they may belong to it. */
  readonly heldExecutions: number;
  /** Decided, not carried out yet. */
  readonly decision: {
    readonly brokerOrderId: string | null;
    readonly because: string;
    readonly by: string;
    readonly at: string;
  } | null;
};

const UNCONFIRMED = sql`
  select o.id, o.client_order_id as "clientOrderId", o.deployment_id as "deploymentId", u.email as client,
    s0.name as "strategyName", b.name as "brokerName", c.account_id as "accountId", o.symbol, o.side, o.purpose,
    o.quantity::text, o.filled_quantity::text as filled, o.limit_price::float8 as "limitPrice", i.currency,
    o.sent_at as "sentAt", ${UNRESOLVED_SINCE} as "unknownSince", o.reason_code, o.reason_params,
    o.broker_order_id as "brokerOrderId", (select state from broker_sessions where connection_id = c.id) as session,
    (select count(*)::int from broker_inbox x where x.connection_id = c.id and x.closed_at is null
      and x.report ->> 'symbol' = o.symbol and x.report ->> 'side' = o.side) as "heldExecutions",
    (select json_build_object('brokerOrderId', s.broker_order_id, 'because', s.because, 'by', s.decided_by,
        'at', s.decided_at) from order_resolutions s where s.order_id = o.id and ${STANDS}) as decision
  from orders o
  join deployments d on d.id = o.deployment_id
  join users u on u.id = d.user_id
  join strategies s0 on s0.id = d.strategy_id
  join broker_connections c on c.id = o.broker_connection_id
  join brokers b on b.id = c.broker_id
  left join instruments i on i.symbol = o.symbol
  where ${UNRESOLVED}`;

/** Longest unknown first; of one client, where an e-mail is named. */
export async function listUnconfirmedOrders(
  database: Kysely<Tables>,
  max: number,
  client: string | null = null,
): Promise<readonly UnconfirmedOrder[]> {
  const { rows } = await sql<Row>`
    ${UNCONFIRMED} and (${client}::text is null or u.email = ${client})
    order by ${UNRESOLVED_SINCE} nulls first, o.decided_at, o.id limit ${max}`.execute(database);
  return rows.map(unconfirmed);
}

type LockedOrder = Pick<UnconfirmedOrder, 'id' | 'clientOrderId'> & {
  readonly status: string;
  readonly isUnresolved: boolean;
  /** Since when it is unresolved, for comparing. */
  readonly since: string | null;
};

/** Of any status. */
export async function lockOrderToDecide(trx: Kysely<Tables>, id: string): Promise<LockedOrder | undefined> {
  const { rows } = await sql<LockedOrder>`
    select o.id, o.client_order_id as "clientOrderId", o.status, ${UNRESOLVED} as "isUnresolved",
      ${UNRESOLVED_SINCE}::text as since from orders o
    where o.id::text = ${id} for update`.execute(trx);
  return rows[0];
}

export type HeldExecution = {
  readonly id: ExecutionId;
  readonly accountId: BrokerAccountId;
  readonly brokerName: string;
  readonly client: string;
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: number;
  readonly brokerOrderId: string;
  /** Trading clock, as milliseconds. */
  readonly executedAt: number;
  /** Real clock. */
  readonly receivedAt: Date;
  readonly hold: ExecutionHold;
};

/** Reported by a broker and not booked anywhere, oldest first. */
export async function listHeldEverywhere(
  database: Kysely<Tables>,
  max: number,
): Promise<readonly HeldExecution[]> {
  const { rows } = await sql<Omit<HeldExecution, 'hold'> & HoldColumns>`
    select x.execution_id as id, x.account_id as "accountId", b.name as "brokerName", u.email as client,
      coalesce(x.report ->> 'symbol', x.report ->> 'brokerInstrumentId') as symbol, x.report ->> 'side' as side,
      (x.report ->> 'quantity')::float8 as quantity, (x.report ->> 'price')::float8 as price,
      x.report ->> 'brokerOrderId' as "brokerOrderId", (x.report ->> 'at')::float8 as "executedAt",
      x.received_at as "receivedAt", x.hold_code, x.hold_params
    from broker_inbox x join broker_connections c on c.id = x.connection_id
    join brokers b on b.id = c.broker_id join users u on u.id = c.user_id
    where x.closed_at is null and x.hold_code is not null
    order by x.received_at, x.execution_id limit ${max}`.execute(database);
  return rows.map((row) => ({ ...row, quantity: quantity(row.quantity), hold: parseHold(row) }));
}

type Row = Omit<UnconfirmedOrder, 'quantity' | 'filled' | 'reason'> &
  ReasonColumns & { quantity: string; filled: string };

function unconfirmed(row: Row): UnconfirmedOrder {
  const { quantity: ordered, filled } = row;
  return {
    ...row,
    quantity: parseQuantity(ordered),
    filled: parseQuantity(filled),
    reason: parseReason(row),
  };
}

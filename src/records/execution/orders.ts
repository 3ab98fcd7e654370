// Orders, from the intent written before anything is sent to their end. Client order ids are unique.
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { RecordedOrder } from '#engine/order/approved-order.ts';
import type { AttemptCount } from '#engine/execution/deployment/deployment-snapshot.ts';
import type { Tries } from '#engine/execution/back-off.ts';
import type { NewOrder, OrderRecord, OrderUpdate } from '#engine/execution/orders/order-record.ts';
import type { OrderReason } from '#engine/execution/orders/order-reason.ts';
import { AT_BROKER, OPEN, type OrderStatus } from '#engine/order/order-status.ts';
import type { OrderPurpose } from '#engine/order/order.ts';
import type {
  BrokerAccountId,
  BrokerConnectionId,
  ClientOrderId,
  DeploymentId,
  OrderId,
  Symbol,
} from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { parseWallInstant, wallText } from '#units/wall-instant.ts';
import { parseMicro } from '#units/money.ts';
import { parseQuantity, quantityText } from '#units/quantity.ts';
import { binaryRows } from '../postgres/binary-rows.ts';
import { copyRows } from '../postgres/copy-rows.ts';
import { idArray, idList } from '../postgres/id-list.ts';
import type { Tables } from '../tables.ts';

type WrittenOrder = NewOrder & { readonly id: OrderId };

/** Throws the database's unique violation when one of them already exists: then the whole transaction is a repeat. */
export async function insertOrders(trx: Transaction<Tables>, orders: readonly WrittenOrder[]): Promise<void> {
  if (orders.length === 0) return;
  const rows = binaryRows(INTO_ORDERS.columns.length);
  for (const { id, connectionId, targetId, order, pricedAt, stopLossPercentage } of orders) {
    rows.row();
    rows.uuid(id);
    rows.uuid(order.deploymentId);
    rows.uuid(connectionId);
    rows.text(order.clientOrderId);
    rows.uuid(targetId);
    rows.text(order.cause);
    rows.text(order.purpose);
    rows.integer(order.attempt);
    rows.text(order.symbol);
    rows.text(order.side);
    rows.numeric(quantityText(order.quantity));
    rows.numeric(String(order.limitPrice));
    rows.numeric(String(order.referencePrice));
    rows.text('intended');
    rows.numeric(stopLossPercentage === null ? null : String(stopLossPercentage));
    rows.instant(order.decidedAt);
    rows.instant(pricedAt);
  }
  await copyRows(trx, INTO_ORDERS, rows.bytes());
}

const INTO_ORDERS = {
  table: 'orders',
  columns:
    `id deployment_id broker_connection_id client_order_id target_id cause purpose attempt symbol side quantity
    limit_price reference_price status stop_loss_percentage decided_at priced_at`.split(/\s+/),
};

export type OrderFilter = {
  readonly connection?: BrokerConnectionId;
  readonly statuses: readonly OrderStatus[];
};

/** States in the text of a statement: by them a prepared one finds the index of such orders. */
function inText(statuses: readonly OrderStatus[]) {
  return statuses.map((status) => sql.lit(status));
}

/** Oldest decision first. */
export async function listOrders(database: Kysely<Tables>, filter: OrderFilter): Promise<OrderRecord[]> {
  let query = database.selectFrom('orders').selectAll().where('status', 'in', inText(filter.statuses));
  if (filter.connection) query = query.where('broker_connection_id', '=', filter.connection);
  const rows = await query.orderBy('decided_at').orderBy('symbol').orderBy('client_order_id').execute();
  return rows.map(orderRecord);
}

/** Stops and exits in an account that are or may be at its broker, and those with these ids. */
export async function listClosingOrders(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  ids: readonly ClientOrderId[],
): Promise<OrderRecord[]> {
  const rows = await database
    .selectFrom('orders')
    .innerJoin('broker_connections', 'broker_connections.id', 'orders.broker_connection_id')
    .selectAll('orders')
    .where('broker_connections.account_id', '=', account)
    .where('purpose', '<>', 'rebalance')
    .where(({ or, eb }) =>
      or([
        eb('orders.status', 'in', [...AT_BROKER]),
        eb('client_order_id', '=', sql<ClientOrderId>`any(${[...ids]}::text[])`),
      ]),
    )
    .orderBy('client_order_id')
    .execute();
  return rows.map(orderRecord);
}

/** The open orders of these deployments, oldest decision first, found through their connections. */
export async function listOpenOrders(
  database: Kysely<Tables>,
  deployments: readonly { readonly id: DeploymentId; readonly connectionId: BrokerConnectionId }[],
): Promise<OrderRecord[]> {
  const ids = idArray(deployments.map(({ id }) => id));
  const connections = idArray(deployments.map(({ connectionId }) => connectionId));
  const rows = await database
    .selectFrom('orders')
    .selectAll()
    .where('status', 'in', inText(OPEN))
    .where('broker_connection_id', '=', sql<BrokerConnectionId>`any(${connections})`)
    .where('deployment_id', '=', sql<DeploymentId>`any(${ids})`)
    .orderBy('decided_at')
    .orderBy('symbol')
    .orderBy('client_order_id')
    .execute();
  return rows.map(orderRecord);
}

export async function lockOrder(trx: Transaction<Tables>, id: OrderId): Promise<OrderRecord> {
  const order = (await lockOrders(trx, [id])).get(id);
  if (order === undefined) throw new Error(`no order ${id}`);
  return order;
}

/** In order of their ids, so that two writers never deadlock. */
export async function lockOrders(
  trx: Transaction<Tables>,
  ids: readonly OrderId[],
): Promise<ReadonlyMap<OrderId, OrderRecord>> {
  const rows = await trx
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', sql<OrderId>`any(${idArray(ids)})`)
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, orderRecord(row)]));
}

type OrderName = { readonly clientOrderId: ClientOrderId | null; readonly brokerOrderId: string };

/** An order by the id that we sent, or by the broker's own id within one connection. */
export async function findOrder(
  database: Kysely<Tables>,
  { connection, ...name }: OrderName & { readonly connection: BrokerConnectionId },
): Promise<OrderRecord | undefined> {
  return (await findOrders(database, connection, [name]))(name);
}

/** Orders of one connection, each to be asked for by its name. */
export async function findOrders(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
  names: readonly OrderName[],
): Promise<(name: OrderName) => OrderRecord | undefined> {
  if (names.length === 0) return () => undefined;
  const clientIds = names.flatMap(({ clientOrderId }) => clientOrderId ?? []);
  const brokerIds = names.map(({ brokerOrderId }) => brokerOrderId);
  const rows = await database
    .selectFrom('orders')
    .selectAll()
    .where('broker_connection_id', '=', connection)
    .where(({ or, eb }) =>
      or([
        ...(clientIds.length === 0 ? [] : [eb('client_order_id', 'in', clientIds)]),
        eb('broker_order_id', 'in', brokerIds),
      ]),
    )
    .execute();
  const orders = rows.map(orderRecord);
  return ({ clientOrderId, brokerOrderId }) =>
    orders.find(({ decided }) => decided.clientOrderId === clientOrderId) ??
    orders.find((order) => order.brokerOrderId === brokerOrderId);
}

export async function changeOrder(trx: Kysely<Tables>, id: OrderId, change: OrderUpdate): Promise<void> {
  await trx
    .updateTable('orders')
    .set({
      status: change.status,
      ...(change.status === 'unknown' && {
        unknown_since: sql<Date>`case when status = 'unknown' then unknown_since else clock_timestamp() end`,
      }),
      ...(change.reason !== undefined && reasonColumns(change.reason)),
      ...(change.brokerOrderId !== undefined && { broker_order_id: change.brokerOrderId }),
      ...(change.visibility !== undefined && { visibility: change.visibility }),
      ...(change.absentSince !== undefined && {
        absent_since: change.absentSince === null ? null : wallText(change.absentSince),
      }),
      ...(change.sendTries !== undefined && {
        send_tries: change.sendTries.count,
        send_tried_at: wallText(change.sendTries.lastAt),
      }),
      ...(change.cancelTries !== undefined && {
        cancel_tries: change.cancelTries.count,
        cancel_tried_at: wallText(change.cancelTries.lastAt),
      }),
      ...(change.cancelLooks !== undefined && { cancel_looks: change.cancelLooks }),
      ...(change.sentAt !== undefined && { sent_at: change.sentAt && isoText(change.sentAt) }),
      ...(change.endedAt !== undefined && { ended_at: isoText(change.endedAt) }),
      ...(change.filled !== undefined && { filled_quantity: quantityText(change.filled) }),
      ...(change.filledValue !== undefined && { filled_value_micro: change.filledValue }),
      ...(change.realized !== undefined && { realized_micro: change.realized }),
    })
    .where('id', '=', id)
    .execute();
}

/** From now on they may be at the broker. The caller holds their locks. */
export async function markSending(
  trx: Kysely<Tables>,
  ids: readonly OrderId[],
  sentAt: Instant,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update orders set status = 'sending', reason_code = null, reason_params = null, reason_since = null, sent_at = ${isoText(sentAt)}
    where id = any(${idArray(ids)})`.execute(trx);
}

/** Orders that the broker took, under the ids that it gave them. The caller holds their locks. */
export async function markWorking(
  trx: Kysely<Tables>,
  accepted: readonly { readonly id: OrderId; readonly brokerOrderId: string }[],
): Promise<void> {
  if (accepted.length === 0) return;
  await sql`
    update orders o set status = 'working', reason_code = null, reason_params = null, reason_since = null,
      broker_order_id = a.broker_order_id, visibility = 'shown'
    from unnest(${idList(accepted.map(({ id }) => id))}::uuid[], ${accepted.map((one) => one.brokerOrderId)}::text[])
      as a (id, broker_order_id)
    where o.id = a.id`.execute(trx);
}

/** Withdraws unsent orders: only intents move. Returns those that did. */
export async function withdrawOrders(
  trx: Kysely<Tables>,
  ids: readonly OrderId[],
  ending: { readonly reason: OrderReason; readonly at: Instant },
): Promise<OrderId[]> {
  if (ids.length === 0) return [];
  const rows = await trx
    .updateTable('orders')
    .set({
      status: 'withdrawn',
      ...reasonColumns(ending.reason),
      ended_at: isoText(ending.at),
    })
    .where('id', '=', sql<OrderId>`any(${idArray(ids)})`)
    .where('status', '=', 'intended')
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

/** An order was declined for want of market data, which the owner of its connection has allowed since. Both times are real. */
const IS_ALLOWED_NOW = sql`exists (select from broker_connections c where c.id = orders.broker_connection_id
  and orders.reason_code = 'not_confirmed' and orders.reason_params->>'topic' = 'market_data'
  and orders.reason_since < c.without_market_data_since)`;

/** Exits that the broker rejected since then, without those whose question its owner has allowed after that. */
export async function listRejectedExits(
  database: Kysely<Tables>,
  ids: readonly DeploymentId[],
  since: Instant,
): Promise<OrderRecord[]> {
  const rows = await database
    .selectFrom('orders')
    .selectAll()
    .where('deployment_id', '=', sql<DeploymentId>`any(${idArray(ids)})`)
    .where('purpose', '<>', 'rebalance')
    .where('purpose', '<>', 'protective')
    .where('status', '=', 'rejected')
    .where('ended_at', '>', new Date(since))
    .where(sql<boolean>`not ${IS_ALLOWED_NOW}`)
    .execute();
  return rows.map(orderRecord);
}

/** Orders made for these causes since they arose, and all exits except protective stops, by deployment, cause and symbol. */
export async function countAttempts(
  database: Kysely<Tables>,
  ids: readonly DeploymentId[],
  causes: { readonly ids: readonly string[]; readonly since: Instant },
): Promise<(AttemptCount & { readonly isExit: boolean })[]> {
  // Two branches, so that each uses its own index instead of reading all orders ever made.
  const { rows } = await sql<AttemptRow>`
    select deployment_id, cause, symbol, false as is_exit, count(*)::int as attempts from orders
    where deployment_id = any(${idArray(ids)}) and decided_at >= ${isoText(causes.since)}
      and cause = any(${causes.ids}::text[]) and purpose = 'rebalance'
    group by deployment_id, cause, symbol
    union all
    select deployment_id, cause, symbol, true as is_exit, count(*)::int as attempts from orders
    where deployment_id = any(${idArray(ids)}) and purpose <> 'rebalance' and purpose <> 'protective'
    group by deployment_id, cause, symbol`.execute(database);
  return rows.map((row) => ({
    deploymentId: row.deployment_id,
    cause: row.cause,
    symbol: row.symbol,
    isExit: row.is_exit,
    attempts: row.attempts,
  }));
}

type AttemptRow = {
  deployment_id: DeploymentId;
  cause: string;
  symbol: Symbol;
  is_exit: boolean;
  attempts: number;
};

export type ReasonColumns = {
  readonly reason_code: OrderReason['code'] | null;
  readonly reason_params: unknown;
};

export function reasonParams(reason: OrderReason | null): string | null {
  const { code: _, ...params } = reason ?? {};
  return Object.keys(params).length === 0 ? null : JSON.stringify(params);
}

function reasonColumns(reason: OrderReason | null) {
  if (reason === null) return { reason_code: null, reason_params: null, reason_since: null };
  const { code } = reason;
  return {
    reason_code: code,
    reason_params: reasonParams(reason),
    reason_since: sql<Date>`case when reason_code = ${code} then reason_since else clock_timestamp() end`,
  };
}

/** From columns that `reasonColumns` has written. */
export function parseReason(row: ReasonColumns): OrderReason | null {
  if (row.reason_code === null) return null;
  return { code: row.reason_code, ...(row.reason_params as object | null) } as OrderReason;
}

function tries(count: number, lastAt: Date | null): Tries | null {
  return lastAt && { count, lastAt: parseWallInstant(lastAt) };
}

function orderRecord(row: Selectable<Tables['orders']>): OrderRecord {
  const decided: RecordedOrder = {
    deploymentId: row.deployment_id,
    clientOrderId: row.client_order_id,
    symbol: row.symbol,
    side: row.side,
    quantity: parseQuantity(row.quantity),
    limitPrice: Number(row.limit_price),
    referencePrice: Number(row.reference_price),
    purpose: row.purpose as OrderPurpose,
    cause: row.cause,
    attempt: row.attempt,
    decidedAt: parseInstant(row.decided_at),
  };
  return {
    id: row.id,
    connectionId: row.broker_connection_id,
    targetId: row.target_id,
    pricedAt: row.priced_at && parseInstant(row.priced_at),
    decided,
    status: row.status,
    reason: parseReason(row),
    filled: parseQuantity(row.filled_quantity),
    filledValue: parseMicro(row.filled_value_micro),
    realized: parseMicro(row.realized_micro),
    brokerOrderId: row.broker_order_id,
    sentAt: row.sent_at && parseInstant(row.sent_at),
    visibility: row.visibility,
    absentSince: row.absent_since && parseWallInstant(row.absent_since),
    sendTries: tries(row.send_tries, row.send_tried_at),
    cancelTries: tries(row.cancel_tries, row.cancel_tried_at),
    cancelLooks: row.cancel_looks,
  };
}

// Orders of all deployments of one brokerage account, over any of its connections.
import type { CrossedExit } from '#engine/incidents/order-incidents.ts';
import type { UnderWay } from '#engine/execution/reconciliation/reconcile-positions.ts';
import { type Kysely, sql } from 'kysely';
import type { OtherOrder } from '#engine/execution/reconciliation/attribute-fills.ts';
import type { AccountOrder } from '#engine/execution/orders/available-quantity.ts';
import { AWAITS_ORDERS } from '#engine/execution/orders/order-reason.ts';
import type { Side } from '#engine/order/order.ts';
import type {
  BrokerAccountId,
  BrokerConnectionId,
  DeploymentId,
  OrderId,
  Symbol,
} from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { parseQuantity, type Quantity } from '#units/quantity.ts';
import { wallInstantOf } from '#units/wall-instant.ts';
import { connectionsOf } from '../postgres/connections-of.ts';
import type { Tables } from '../tables.ts';

/** Until the transaction ends, no one else sends for or reads these accounts. In one order, so that two callers never deadlock. */
export async function lockAccountOrders(
  trx: Kysely<Tables>,
  accounts: readonly BrokerAccountId[],
): Promise<void> {
  if (accounts.length === 0) return;
  const names = [...new Set(accounts)].toSorted().map((account) => `account orders ${account}`);
  await sql`select pg_advisory_xact_lock(hashtextextended(w.name, 0))
    from (select name from unnest(${names}::text[]) with ordinality as n (name, place) order by place offset 0) w`.execute(
    trx,
  );
}

/** Columns of an order `o` with the position `p` of its deployment, if any. */
export const STILL_CLOSING = sql`case when o.purpose <> 'rebalance' then o.quantity - o.filled_quantity
  else greatest(0, least(o.quantity - o.filled_quantity,
    coalesce(case o.side when 'sell' then p.quantity else -p.quantity end, 0))) end`;

/** Opposite holdings of deployments: an account shows the net of long and short. */
export async function heldAgainst(
  trx: Kysely<Tables>,
  { account, symbol, side }: { account: BrokerAccountId; symbol: Symbol; side: Side },
): Promise<Quantity> {
  const { rows } = await sql<{ held: string }>`
    select coalesce(sum(abs(p.quantity)), 0)::text as held from deployments d
      join positions p on p.deployment_id = d.id
    where d.broker_connection_id = any(${connectionsOf(account)}) and p.symbol = ${symbol}
      and case ${side}::text when 'sell' then p.quantity < 0 else p.quantity > 0 end`.execute(trx);
  return parseQuantity(rows[0]!.held);
}

/** By instrument, over all orders of an account that are or may be at the broker. */
export async function listUnderWay(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<ReadonlyMap<Symbol, UnderWay>> {
  const { rows } = await sql<{ symbol: Symbol; buying: string; selling: string; sentAt: Date }>`
    select o.symbol, min(coalesce(o.sent_at, o.decided_at)) as "sentAt", coalesce(sum(o.quantity - o.filled_quantity) filter (where o.side = 'buy'), 0)::text as buying,
      coalesce(sum(o.quantity - o.filled_quantity) filter (where o.side = 'sell'), 0)::text as selling
    from orders_at_broker o where o.broker_connection_id = any(${connectionsOf(account)}) group by o.symbol`.execute(
    database,
  );
  return new Map(
    rows.map(({ symbol, buying, selling, sentAt }) => [
      symbol,
      {
        buying: parseQuantity(buying),
        selling: parseQuantity(selling),
        sentAt: wallInstantOf(parseInstant(sentAt)),
      },
    ]),
  );
}

/** For an unsent exit `e`; not for missing shares, which no order can make way for. */
const WAITS_FOR_ORDERS_ONLY = sql`(e.reason_code is null or e.reason_code = any(${AWAITS_ORDERS}::text[]))`;

/** Unsent exits of an account that an order in the other direction holds back. */
export async function listCrossedExits(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<readonly CrossedExit[]> {
  const { rows } = await sql<CrossedExit>`
    select distinct o.symbol, o.side from orders o
    where o.broker_connection_id = any(${connectionsOf(account)}) and o.status = 'intended' and o.reason_code = 'opposite_order'
      and o.purpose not in ('rebalance', 'protective')`.execute(database);
  return rows;
}

/** Working purchases and opening sales, and stops that would cross it, which block an exit of the same account. */
export async function listInTheWayOfExits(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<ReadonlySet<OrderId>> {
  const { rows } = await sql<{ id: OrderId }>`
    select o.id from orders o
    where o.broker_connection_id = any(${connectionsOf(account)}) and o.status = 'working'
      and o.purpose in ('rebalance', 'protective')
      and exists (select from orders e
        where e.broker_connection_id = any(${connectionsOf(account)}) and e.status = 'intended' and e.purpose not in ('rebalance', 'protective')
          and e.symbol = o.symbol and e.side <> o.side and ${WAITS_FOR_ORDERS_ONLY}
          and (o.purpose = 'rebalance'
            or case o.side when 'sell' then e.limit_price <= o.limit_price else e.limit_price >= o.limit_price end))`.execute(
    database,
  );
  return new Set(rows.map(({ id }) => id));
}

/** An intent that only an order on the other side holds back, and that is no stop. */
const WAITS_ACROSS = sql`e.status = 'intended' and e.purpose <> 'protective' and e.reason_code = 'opposite_order'`;

type OrderPlace = { readonly account: BrokerAccountId; readonly symbol: Symbol; readonly side: Side };

export type AroundOrder = {
  /** Orders that are, or may be, at the broker for the instrument. */
  readonly atBroker: readonly AccountOrder[];
  /** Whether a restored database cannot place a fill there. */
  readonly hasLostFill: boolean;
  /** Whether an exit of the account and instrument waits only for opposite orders or its own stop to go. */
  readonly isExitInLine: boolean;
  /** The deployments whose orders wait for what is on this side. */
  readonly waitingAcross: readonly DeploymentId[];
};

/** What the accounts have beside an order at each of these places, in their order. The caller holds the locks of the accounts. */
export async function readAroundOrders(
  trx: Kysely<Tables>,
  places: readonly OrderPlace[],
): Promise<readonly AroundOrder[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<
    Omit<AroundOrder, 'atBroker'> & {
      atBroker: readonly (Omit<AccountOrder, 'closing'> & { closing: string })[];
    }
  >`
    select
      (select coalesce(json_agg(json_build_object('id', o.id, 'isProtective', o.purpose = 'protective', 'side', o.side,
          'limitPrice', o.limit_price::float8, 'closing', (${STILL_CLOSING})::text)), '[]'::json)
        from broker_connections c join orders_at_broker o on o.broker_connection_id = c.id
          left join positions p on p.deployment_id = o.deployment_id and p.symbol = o.symbol
        where c.account_id = w.account and o.symbol = w.symbol) as "atBroker",
      exists (select from broker_inbox i where i.account_id = w.account and i.closed_at is null
        and i.hold_code = 'order_lost' and i.report ->> 'symbol' = w.symbol) as "hasLostFill",
      exists (select from broker_connections c join orders e on e.broker_connection_id = c.id
        where c.account_id = w.account and e.symbol = w.symbol and e.side <> w.side and e.status = 'intended'
          and e.purpose not in ('rebalance', 'protective') and ${WAITS_FOR_ORDERS_ONLY}) as "isExitInLine",
      array(select distinct e.deployment_id from broker_connections c join orders e on e.broker_connection_id = c.id
        where c.account_id = w.account and e.symbol = w.symbol and e.side <> w.side and ${WAITS_ACROSS}) as "waitingAcross"
    from unnest(${places.map(({ account }) => account)}::text[], ${places.map(({ symbol }) => symbol)}::text[],
      ${places.map(({ side }) => side)}::text[]) with ordinality as w (account, symbol, side, place)
    order by w.place`.execute(trx);
  return rows.map(({ atBroker, ...row }) => ({
    ...row,
    atBroker: atBroker.map((order) => ({ ...order, closing: parseQuantity(order.closing) })),
  }));
}

/** Working stops of an account that are all that an order of `waiting` on the other side waits for. */
export async function listStopsInTheWayAcross(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<readonly { readonly id: OrderId; readonly waiting: DeploymentId }[]> {
  const { rows } = await sql<{ id: OrderId; waiting: DeploymentId }>`
    select o.id, e.deployment_id as waiting from orders o
      join orders e on e.symbol = o.symbol and e.side <> o.side and ${WAITS_ACROSS}
    where o.broker_connection_id = any(${connectionsOf(account)}) and o.status = 'working' and o.purpose = 'protective'
      and e.broker_connection_id = any(${connectionsOf(account)})
      and not exists (select from orders_at_broker x
        where x.broker_connection_id = any(${connectionsOf(account)}) and x.symbol = o.symbol and x.side = o.side and x.purpose <> 'protective')`.execute(
    database,
  );
  return rows;
}

/** Working orders of targets, there since `since` or longer, for which a stop on the other side has waited as long. */
export async function listStopsKeptWaiting(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  since: Instant,
): Promise<ReadonlySet<OrderId>> {
  const { rows } = await sql<{ id: OrderId }>`
    select o.id from orders o
    where o.broker_connection_id = any(${connectionsOf(account)}) and o.status = 'working' and o.purpose = 'rebalance'
      and o.sent_at <= ${isoText(since)}
      and exists (select from orders e
        where e.broker_connection_id = any(${connectionsOf(account)}) and e.symbol = o.symbol and e.side <> o.side and e.status = 'intended'
          and e.purpose = 'protective' and e.reason_code = 'opposite_order' and e.decided_at <= ${isoText(since)})`.execute(
    database,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Orders over other connections to the same account: those with these ids, and those whose broker id is not known yet. */
export async function listOrdersOfOthers(
  database: Kysely<Tables>,
  { account, connection }: { account: BrokerAccountId; connection: BrokerConnectionId },
  ids: { readonly client: readonly string[]; readonly broker: readonly string[] },
): Promise<readonly OtherOrder[]> {
  const { rows } = await sql<OtherOrder>`
    select o.client_order_id as "clientOrderId", o.broker_order_id as "brokerOrderId", o.status, o.symbol, o.side
    from broker_connections c join orders o on o.broker_connection_id = c.id
    where c.account_id = ${account} and c.id <> ${connection}
      and (o.client_order_id = any(${ids.client}::text[]) or o.broker_order_id = any(${ids.broker}::text[])
        or o.status in ('sending', 'unknown'))`.execute(database);
  return rows;
}

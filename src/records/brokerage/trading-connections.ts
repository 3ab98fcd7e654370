// Broker connections as the trader needs them: active ones that trade for a client.
import { type Kysely, sql } from 'kysely';
import type { BrokerAccountId, BrokerConnectionId, TargetId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from '../tables.ts';
import { SHARDS } from '../operations/trading-shards.ts';

const ALL_SHARDS = Array.from({ length: SHARDS }, (_, shard) => shard);

export type TradingConnection = {
  readonly id: BrokerConnectionId;
  /** Whose adapter serves it. */
  readonly vendor: string;
  readonly accountId: BrokerAccountId;
  readonly sealedCredentials: Buffer;
  /** Its owner lets it trade without a subscription to the broker's market data. */
  readonly withoutMarketData: boolean;
  /** The database was restored, and the broker's side has not been compared with it yet. */
  readonly isUnsettled: boolean;
};

/** An account that several connections trade is settled when all of them are. */
const IS_UNSETTLED = sql<boolean>`c.account_id in (select w.account_id from unsettled_connections u
  join broker_connections w on w.id = u.connection_id where w.status = 'active')`;

type Ended = { readonly endedSince: Instant; readonly vendor: string };
type Which = keyof typeof USED | Ended;

const USED = {
  all: sql`(exists (select from live_deployments d where d.broker_connection_id = c.id)
    or exists (select from adjustments k where k.connection_id = c.id and k.status = 'approved')
    or exists (select from proposals n where n.account_id = c.account_id and n.action = 'state_commission'
      and n.status = 'approved'))`,
  'with orders to send': sql`exists (select from orders o where o.broker_connection_id = c.id
    and o.status = 'intended')`,
  'with orders at the broker': sql`(exists (select from orders_at_broker o where o.broker_connection_id = c.id
      and not (o.purpose = 'protective' and o.status = 'working' and o.reason_code is null and o.filled_quantity = 0))
    or c.account_id in (select w.account_id from orders e join broker_connections w on w.id = e.broker_connection_id
      where e.status = 'intended' and e.reason_code = 'opposite_order'))`,
};

/** No live deployment uses it any more, and executions of the last one may still arrive. */
function endedSince({ endedSince: since, vendor }: Ended) {
  return sql`b.slug = ${vendor} and exists (select from deployments d where d.broker_connection_id = c.id and d.ended_at > ${isoText(since)})
    and not ${USED.all}`;
}

/**
 * `all`: every active connection that a live deployment uses, or whose books are to be corrected. Otherwise: connections
 * with orders in these states; orders that only work at the broker and are not being cancelled wait for the look at all, unless
 * an order of their account waits for one of them to make way.
 */
export async function listTradingConnections(
  database: Kysely<Tables>,
  which: Which,
  shards: readonly number[] = ALL_SHARDS,
): Promise<TradingConnection[]> {
  const used = typeof which === 'string' ? USED[which] : endedSince(which);
  const { rows } = await sql<{
    id: BrokerConnectionId;
    vendor: string;
    account_id: BrokerAccountId;
    sealed_credentials: Buffer;
    trades_without_market_data: boolean;
    is_unsettled: boolean;
  }>`
    select c.id, b.slug as vendor, c.account_id, c.sealed_credentials, c.trades_without_market_data,
      ${IS_UNSETTLED} as is_unsettled
    from broker_connections c join brokers b on b.id = c.broker_id
    where c.status = 'active' and c.account_id is not null and c.sealed_credentials is not null and ${used}
      and shard_of(c.id) = any(${shards}::int[])
    order by c.id`.execute(database);
  return rows.map((row) => ({
    id: row.id,
    vendor: row.vendor,
    accountId: row.account_id,
    sealedCredentials: row.sealed_credentials,
    withoutMarketData: row.trades_without_market_data,
    isUnsettled: row.is_unsettled,
  }));
}

/**
 * Of the connections with orders at the broker, those with one that may not be wanted any more, or whose fate is open: its deployment does
 * more or less than follow its strategy, a newer target is decided, a kill switch is on, or an order of its account waits. `keeping`: the
 * vendors who keep orders beyond their day. What is not named here is wanted, and nobody need ask again.
 */
export async function listToCheck(
  database: Kysely<Tables>,
  { shards, keeping }: { readonly shards: readonly number[]; readonly keeping: readonly string[] },
): Promise<ReadonlySet<BrokerConnectionId>> {
  const { rows } = await sql<{ id: BrokerConnectionId }>`
    select distinct c.id from orders_at_broker o join broker_connections c on c.id = o.broker_connection_id
      join brokers b on b.id = c.broker_id join deployments d on d.id = o.deployment_id
    where shard_of(c.id) = any(${shards}::int[])
      and (o.status <> 'working' or o.reason_code is not null or b.slug = any(${keeping}::text[])
        or (o.purpose = 'protective' and o.filled_quantity > 0)
        or d.status <> 'active' or d.requested_status is not null or d.frozen_at is not null or d.tripwire_state = 'red'
        or exists (select from kill_switches where lifted_at is null)
        or exists (select from targets t where t.strategy_version_id = d.strategy_version_id and t.rebalance
          and t.as_of > o.decided_at)
        or exists (select from broker_connections w join orders e on e.broker_connection_id = w.id
          where w.account_id = c.account_id and e.status = 'intended'))`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

/** Those whose books are to be corrected: a person has decided, and the next look carries it out. */
export async function listToCorrect(
  database: Kysely<Tables>,
  shards: readonly number[],
): Promise<BrokerConnectionId[]> {
  const { rows } = await sql<{ id: BrokerConnectionId }>`
    select connection_id as id from adjustments
    where status = 'approved' and shard_of(connection_id) = any(${shards}::int[])
    union
    select c.id from proposals n join broker_connections c on c.account_id = n.account_id
    where n.action = 'state_commission' and n.status = 'approved'
      and shard_of(c.id) = any(${shards}::int[])`.execute(database);
  return rows.map(({ id }) => id);
}

/** Of connections of these shards with orders to send: the targets that those follow. */
export async function listTargetsToSend(
  database: Kysely<Tables>,
  shards: readonly number[],
): Promise<ReadonlyMap<BrokerConnectionId, readonly TargetId[]>> {
  const { rows } = await sql<{ id: BrokerConnectionId; targets: TargetId[] }>`
    select broker_connection_id as id, array_agg(distinct target_id) as targets from orders
    where status = 'intended' and target_id is not null and shard_of(broker_connection_id) = any(${shards}::int[])
    group by broker_connection_id`.execute(database);
  return new Map(rows.map(({ id, targets }) => [id, targets]));
}

/**
 * Ours at the broker of a connection: 'unresolved' where one was sent, or asked to be cancelled, and its fate is not
 * known; stops that only work there count as none.
 */
export async function ordersAtBroker(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<'none' | 'working' | 'unresolved'> {
  const { rows } = await sql<{ is_unresolved: boolean }>`
    select o.status <> 'working' or o.reason_code is not null as is_unresolved from orders_at_broker o
    where o.broker_connection_id = ${connection}
      and not (o.purpose = 'protective' and o.status = 'working' and o.reason_code is null and o.filled_quantity = 0)
    order by 1 desc limit 1`.execute(database);
  const [first] = rows;
  if (first === undefined) return 'none';
  return first.is_unresolved ? 'unresolved' : 'working';
}

/** The broker reports that the person's permission is gone. Undefined when the connection had already ended. */
export async function revokeConnection(
  trx: Kysely<Tables>,
  id: BrokerConnectionId,
): Promise<{ readonly userId: UserId; readonly brokerName: string } | undefined> {
  const row = await trx
    .updateTable('broker_connections as c')
    .from('brokers as b')
    .set({
      status: 'revoked',
      reason_code: 'permission_rejected',
      reason_said: null,
      sealed_credentials: null,
    })
    .whereRef('b.id', '=', 'c.broker_id')
    .where('c.id', '=', id)
    .where('c.status', '=', 'active')
    .returning(['c.user_id', 'b.name'])
    .executeTakeFirst();
  return row && { userId: row.user_id, brokerName: row.name };
}

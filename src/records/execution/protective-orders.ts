// Protective stops: which positions need one now, and how often one was placed.
import { type Kysely, sql } from 'kysely';
import type { StopAtBroker } from '#engine/execution/stops/oversized-stops.ts';
import type { StopAttempts } from '#engine/execution/stops/protective-stops.ts';
import type { CalendarId, InstrumentKind } from '#engine/market/instrument.ts';
import type {
  BrokerAccountId,
  BrokerConnectionId,
  DeploymentId,
  OrderId,
  Symbol,
} from '#units/identifiers.ts';
import { parseInstant } from '#units/instant.ts';
import { parseQuantity } from '#units/quantity.ts';
import { connectionsOf } from '../postgres/connections-of.ts';
import { idArray } from '../postgres/id-list.ts';
import { STILL_CLOSING } from './account-orders.ts';
import { REFUSED_IN_A_ROW } from './unprotected-positions.ts';
import type { Tables } from '../tables.ts';

type StopsWanted = {
  readonly shards: readonly number[];
  /** Whose connections are looked at: each broker has stops of its own. */
  readonly vendor: string;
  /** Instruments for which a stop can work. */
  readonly kinds: readonly InstrumentKind[];
  /** The calendars in whose open session a stop may be sent. */
  readonly calendars: readonly CalendarId[];
  /** No stop stays at the broker. */
  readonly isResetNear: boolean;
};

/** Deployments with a position that has no stop or one of the wrong size or limit, or with a stop that must go. */
export async function listStopMismatches(
  database: Kysely<Tables>,
  { shards, vendor, kinds, calendars, isResetNear }: StopsWanted,
): Promise<{ readonly deploymentId: DeploymentId; readonly connectionId: BrokerConnectionId }[]> {
  const { rows } = await sql<{ id: DeploymentId; broker_connection_id: BrokerConnectionId }>`
    select d.id, d.broker_connection_id from deployments d
    where shard_of(d.broker_connection_id) = any(${shards}::int[])
      and exists (select from broker_connections c join brokers b on b.id = c.broker_id
        where c.id = d.broker_connection_id and b.slug = ${vendor}) and (
      exists (select from following_deployments f join positions p on p.deployment_id = f.id
          join instruments i on i.symbol = p.symbol
        where f.id = d.id and d.stop_loss_percentage > 0 and i.kind = any(${kinds}::text[])
          and i.calendar = any(${calendars}::text[])
          and exists (select from broker_connections c where c.id = d.broker_connection_id and c.status = 'active')
          and (d.mode = 'practice' or exists (select from agreements a where a.user_id = d.user_id
            and a.status = 'signed'))
          and not exists (select from open_orders o where o.deployment_id = d.id and o.symbol = p.symbol
            and o.purpose = 'protective')
          and not exists (select from open_orders o where o.broker_connection_id = d.broker_connection_id
            and o.deployment_id = d.id and o.symbol = p.symbol and (o.status <> 'intended'
              or o.reason_code is null or o.reason_code in ('stop_not_cancelled', 'stop_not_confirmed'))))
      or exists (select from orders o left join positions p on p.deployment_id = o.deployment_id and p.symbol = o.symbol
        where o.deployment_id = d.id and o.purpose = 'protective' and o.status in ('intended', 'working')
          and (${isResetNear} or p.symbol is null or o.quantity - o.filled_quantity <> abs(p.quantity) or (o.side = 'sell') <> (p.quantity > 0)
            or o.cause <> 'protective-stop:' || trim_scale(d.stop_loss_percentage))))
    order by d.id`.execute(database);
  return rows.map((row) => ({ deploymentId: row.id, connectionId: row.broker_connection_id }));
}

type StopAttemptsOf = StopAttempts & { readonly deploymentId: DeploymentId };

export async function countStopAttempts(
  database: Kysely<Tables>,
  ids: readonly DeploymentId[],
): Promise<StopAttemptsOf[]> {
  const { rows } = await sql<Omit<StopAttemptsOf, 'refusedAt'> & { refusedAt: Date | null }>`
    select deployment_id as "deploymentId", symbol, cause, count(*)::int as attempts,
      (select count(*)::int from orders r where r.deployment_id = o.deployment_id and r.symbol = o.symbol
        and ${REFUSED_IN_A_ROW}) as refusals,
      (select max(r.ended_at) from orders r where r.deployment_id = o.deployment_id and r.symbol = o.symbol
        and ${REFUSED_IN_A_ROW}) as "refusedAt",
      exists (select from stop_retries t where t.order_id = (select r.id from orders r
        where r.deployment_id = o.deployment_id and r.symbol = o.symbol and ${REFUSED_IN_A_ROW}
        order by r.decided_at desc, r.attempt desc limit 1)) as "isRetryAsked"
    from orders o where deployment_id = any(${idArray(ids)}) and purpose = 'protective'
    group by deployment_id, symbol, cause`.execute(database);
  return rows.map((row) => ({ ...row, refusedAt: row.refusedAt && parseInstant(row.refusedAt) }));
}

const AWAITS_STOP = sql`e.reason_code in ('stop_not_cancelled', 'stop_not_confirmed')`;

/** Working stops that are all that an order of the same position waits for. */
export async function listStopsInTheWay(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<ReadonlySet<OrderId>> {
  const { rows } = await sql<{ id: OrderId }>`
    select o.id from orders o
    where o.broker_connection_id = ${connection} and o.purpose = 'protective' and o.status = 'working'
      and exists (select from orders e where e.broker_connection_id = o.broker_connection_id
        and e.deployment_id = o.deployment_id and e.symbol = o.symbol
        and e.status = 'intended' and ${AWAITS_STOP} and e.purpose <> 'protective')`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

/** Each working stop of an account, with the quantity still closing on its side and the positions held against it. */
export async function listStopsAtBroker(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<StopAtBroker[]> {
  const { rows } = await sql<{
    id: OrderId;
    symbol: Symbol;
    side: 'buy' | 'sell';
    leaving: string;
    against: string;
  }>`
    with at_broker as (
      select o.id, o.symbol, o.side, o.purpose, o.status, ${STILL_CLOSING} as closing
      from orders_at_broker o
        left join positions p on p.deployment_id = o.deployment_id and p.symbol = o.symbol
      where o.broker_connection_id = any(${connectionsOf(account)}))
    select s.id, s.symbol, s.side,
      (select sum(closing) from at_broker x where x.symbol = s.symbol and x.side = s.side)::text as leaving,
      (select coalesce(sum(abs(p.quantity)), 0) from deployments d join positions p on p.deployment_id = d.id
        where d.broker_connection_id = any(${connectionsOf(account)}) and p.symbol = s.symbol and (p.quantity < 0) = (s.side = 'sell'))::text as against
    from at_broker s where s.purpose = 'protective' and s.status = 'working'`.execute(database);
  return rows.map((row) => ({
    ...row,
    leaving: parseQuantity(row.leaving),
    against: parseQuantity(row.against),
  }));
}

/** Stops whose owner has signed no agreement: a replacement could not be sent. */
export async function listUnsigned(
  database: Kysely<Tables>,
  ids: readonly DeploymentId[],
): Promise<ReadonlySet<DeploymentId>> {
  const { rows } = await sql<{ id: DeploymentId }>`
    select d.id from deployments d where d.id = any(${idArray(ids)}) and d.mode = 'real'
      and not exists (select from agreements a where a.user_id = d.user_id
        and a.status = 'signed')`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

// Rows of a broker's lists that could not be read, kept raw for staff, and what a decision about them reads.
import { type Kysely, sql } from 'kysely';
import type {
  OwnOrder,
  UnreadFacts,
  UnreadRow,
  UnreadVerdict,
} from '#engine/execution/reconciliation/unread-rows.ts';
import type { BrokerAccountId, BrokerConnectionId, Symbol } from '#units/identifiers.ts';
import { type WallInstant, wallText } from '#units/wall-instant.ts';
import { knownExecutions } from './fills.ts';
import type { Tables } from '../tables.ts';

/** Over all connections to the account. */
export async function loadUnreadFacts(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  rows: readonly UnreadRow[],
): Promise<Omit<UnreadFacts, 'positioned'>> {
  const present = <Id>(ids: readonly (Id | null)[]) => ids.filter((id) => id !== null);
  const named = {
    client: present(rows.map(({ clientOrderId }) => clientOrderId)),
    broker: present(rows.map(({ brokerOrderId }) => brokerOrderId)),
  };
  const { rows: orders } = await sql<OwnOrder>`
    select o.client_order_id as "clientOrderId", o.broker_order_id as "brokerOrderId", o.symbol,
      exists (select from orders_at_broker b where b.id = o.id) as "isAtBroker"
    from broker_connections c join orders o on o.broker_connection_id = c.id
    where c.account_id = ${account}
      and (o.client_order_id = any(${named.client}::text[]) or o.broker_order_id = any(${named.broker}::text[])
        or o.id in (select id from orders_at_broker))`.execute(database);
  const known = await knownExecutions(database, account, present(rows.map(({ executionId }) => executionId)));
  return { orders, known, inUse: await listInUse(database, account) };
}

/** Instruments in which a deployment of the account holds a position or has an open order. */
async function listInUse(database: Kysely<Tables>, account: BrokerAccountId): Promise<ReadonlySet<Symbol>> {
  const { rows } = await sql<{ symbol: Symbol }>`
    select p.symbol from broker_connections c join deployments d on d.broker_connection_id = c.id
      join positions p on p.deployment_id = d.id
    where c.account_id = ${account} and p.quantity <> 0
    union
    select o.symbol from broker_connections c join open_orders o on o.broker_connection_id = c.id
    where c.account_id = ${account}`.execute(database);
  return new Set(rows.map(({ symbol }) => symbol));
}

export type UnreadLook = {
  readonly connection: BrokerConnectionId;
  readonly account: BrokerAccountId;
  readonly at: WallInstant;
};

/** Records what a look could not read, and ends the rows that it no longer found. */
export async function saveUnreadRows(
  trx: Kysely<Tables>,
  { connection, account, at }: UnreadLook,
  verdicts: readonly UnreadVerdict[],
): Promise<void> {
  const found = [...new Map(verdicts.map((one) => [`${one.row.list} ${one.row.key}`, one])).values()].map(
    ({ row: { list, key, reason, raw }, unsure, concernsUs }) => ({
      list,
      key,
      reason,
      raw: raw.replaceAll(NUL, ''),
      effect: concernsUs ? 'unsure' : 'kept',
      symbols: unsure,
    }),
  );
  await sql`
    with found as (select * from jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
        as f (list text, key text, reason text, raw text, effect text, symbols text[])),
      gone as (update unread_rows u set ended_at = ${wallText(at)}
        where u.connection_id = ${connection} and u.ended_at is null
          and not exists (select from found f where f.list = u.list and f.key = u.key))
    insert into unread_rows (connection_id, account_id, list, key, reason, effect, symbols, raw, first_seen_at, last_seen_at)
    select ${connection}, ${account}, list, key, reason, effect, symbols, raw, ${wallText(at)}, ${wallText(at)} from found
    on conflict (connection_id, list, key) do update set
      account_id = excluded.account_id, reason = excluded.reason, effect = excluded.effect, symbols = excluded.symbols,
      raw = excluded.raw, last_seen_at = excluded.last_seen_at, ended_at = null,
      first_seen_at = case when unread_rows.ended_at is null then unread_rows.first_seen_at
        else excluded.first_seen_at end`.execute(trx);
}

/** PostgreSQL cannot store it in a text. */
const NUL = String.raw`\u0000`;

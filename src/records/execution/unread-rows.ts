// Rows of a broker's lists that could not be read, kept raw for staff, and what a decision about them reads.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type OwnOrder,
  rowSubject,
  type UnreadFacts,
  type UnreadRow,
  type UnreadVerdict,
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
  const ignored = await listIgnored(database, account, rows);
  return { orders, known, inUse: await listInUse(database, account), ignored };
}

/** Of these rows the ones that two people have set aside, as they are now. */
async function listIgnored(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  rows: readonly UnreadRow[],
): Promise<ReadonlySet<string>> {
  const asked = rows.map((row) => ({ subject: rowSubject(row), raw: storedRaw(row) }));
  const { rows: found } = await sql<{ subject: string }>`
    select p.subject from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as r (subject text, raw text)
    join proposals p on p.action = 'ignore_row' and p.status = 'approved' and p.account_id = ${account}
      and p.subject = r.subject and p.seen = ${contentHash(sql`r.raw`)}`.execute(database);
  return new Set(found.map(({ subject }) => subject));
}

/** SHA-256 of a row as it is stored. */
const contentHash = (raw: RawBuilder<unknown>) => sql`encode(sha256(convert_to(${raw}, 'UTF8')), 'hex')`;

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

export const UNREAD_EFFECTS = ['unsure', 'kept', 'foreign', 'ignored'] as const;
export type UnreadEffect = (typeof UNREAD_EFFECTS)[number];

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
    ({ row, unsure, ...verdict }) => ({
      list: row.list,
      key: row.key,
      reason: row.reason,
      raw: storedRaw(row),
      effect: effectOf(verdict),
      refusal: verdict.ignoreRefusal,
      symbols: unsure,
    }),
  );
  await sql`
    with found as (select * from jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
        as f (list text, key text, reason text, raw text, effect text, refusal text, symbols text[])),
      gone as (update unread_rows u set ended_at = ${wallText(at)}
        where u.connection_id = ${connection} and u.ended_at is null
          and not exists (select from found f where f.list = u.list and f.key = u.key))
    insert into unread_rows (connection_id, account_id, list, key, reason, effect, ignore_refusal, symbols, raw,
      content_hash, first_seen_at, last_seen_at)
    select ${connection}, ${account}, list, key, reason, effect, refusal, symbols, raw, ${contentHash(sql`raw`)}, ${wallText(at)}, ${wallText(at)} from found
    on conflict (connection_id, list, key) do update set
      account_id = excluded.account_id, reason = excluded.reason, effect = excluded.effect, symbols = excluded.symbols,
      raw = excluded.raw, content_hash = excluded.content_hash, ignore_refusal = excluded.ignore_refusal, last_seen_at = excluded.last_seen_at, ended_at = null,
      first_seen_at = case when unread_rows.ended_at is null then unread_rows.first_seen_at
        else excluded.first_seen_at end`.execute(trx);
}

function effectOf({ concernsUs, isForeign, isIgnored }: Omit<UnreadVerdict, 'row' | 'unsure'>): UnreadEffect {
  if (isIgnored) return 'ignored';
  if (concernsUs) return 'unsure';
  return isForeign ? 'foreign' : 'kept';
}

function storedRaw({ raw }: UnreadRow): string {
  return raw.replaceAll(NUL, '');
}

/** PostgreSQL cannot store it in a text. */
const NUL = String.raw`\u0000`;

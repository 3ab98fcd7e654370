// Questions to the trader that owns a broker session. A question is one row: asking it again joins the open one, an
// expired one is dropped, and one whose trader died while answering stays for its successor.
import { type Kysely, sql } from 'kysely';
import {
  type BrokerRequestAnswer,
  type BrokerRequestKind,
  REQUEST_LIFE_MS,
} from '#engine/execution/connection/broker-request.ts';
import type {
  BrokerAnswer,
  BrokerCash,
  BrokerExecution,
  BrokerList,
  BrokerOrder,
  BrokerPosition,
} from '#ports/broker.ts';
import type { BrokerAccountId, BrokerConnectionId, UserId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

/** NOTIFY channels: a question for traders, and the id of an answered one. */
export const REQUESTS_CHANNEL = 'broker_requests';
export const ANSWERS_CHANNEL = 'broker_answers';

/** What a broker shows of an account. */
export type BrokerLists = {
  readonly orders: BrokerList<BrokerOrder>;
  readonly executions: BrokerList<BrokerExecution>;
  readonly positions: BrokerList<BrokerPosition>;
  readonly cash: BrokerAnswer<BrokerCash>;
};

/** `lists` where they were asked for. */
export type AnsweredRequest = BrokerRequestAnswer & { readonly lists?: BrokerLists };

/** 'operator': a command on our own machines asks; everyone else may ask about their own connections only. */
export type AskedConnection = {
  readonly id: BrokerConnectionId;
  readonly userId: UserId | 'operator';
};

/** About our own access as an adviser at this vendor. */
export type AskedAdviser = { readonly adviserAt: string };

type Question = {
  /** The request's id, unless the same question is open already. */
  readonly id: string;
  readonly kind: BrokerRequestKind;
  readonly connection: AskedConnection | AskedAdviser;
};

/** The id of the open request; null unless the connection belongs to the asking user and access is granted. */
export async function askTrader(database: Kysely<Tables>, question: Question): Promise<string | null> {
  const { id, kind, connection } = question;
  const about =
    'adviserAt' in connection
      ? sql`select null::uuid as id, ${connection.adviserAt}::text as adviser_at`
      : sql`select c.id, null::text as adviser_at from broker_connections c where c.id = ${connection.id}
          and ${isAskersOwn(connection)} and c.sealed_credentials is not null`;
  const { rows } = await sql<{ id: string }>`
    with about as (${about}),
    dropped as (delete from broker_requests r using about
      where r.connection_id is not distinct from about.id
        and r.adviser_at is not distinct from about.adviser_at and r.expires_at < clock_timestamp() - interval '1 hour'),
    asked as (
      insert into broker_requests (id, connection_id, adviser_at, kind, expires_at)
      select ${id}, about.id, about.adviser_at, ${kind}, clock_timestamp() + ${REQUEST_LIFE_MS[kind]} * interval '1 millisecond'
      from about
      on conflict (connection_id, adviser_at, kind) where answered_at is null
        do update set expires_at = greatest(broker_requests.expires_at, excluded.expires_at)
      returning id)
    select asked.id, pg_notify(${REQUESTS_CHANNEL}, asked.id::text) from asked`.execute(database);
  return rows[0]?.id ?? null;
}

function isAskersOwn({ userId }: AskedConnection) {
  return userId === 'operator' ? sql`true` : sql`c.user_id = ${userId}`;
}

export type OpenRequest = {
  readonly id: string;
  readonly kind: BrokerRequestKind;
  /** Of the connection, or at which we are the adviser. */
  readonly vendor: string;
  /** Null: about the adviser's own access. */
  readonly connection: {
    readonly id: BrokerConnectionId;
    readonly vendor: string;
    /** Null while the client is still connecting. */
    readonly accountId: BrokerAccountId | null;
    readonly sealedCredentials: Buffer;
  } | null;
};

/** What waits for the holder of these shards; the holder of the market's shard also answers for the adviser. */
export async function listOpenRequests(
  database: Kysely<Tables>,
  { shards, hasMarket }: { readonly shards: readonly number[]; readonly hasMarket: boolean },
): Promise<readonly OpenRequest[]> {
  const { rows } = await sql<{
    id: string;
    kind: BrokerRequestKind;
    vendor: string;
    connection_id: BrokerConnectionId | null;
    account_id: BrokerAccountId | null;
    sealed_credentials: Buffer | null;
  }>`
    select r.id, r.kind, coalesce(b.slug, r.adviser_at) as vendor, r.connection_id, c.account_id, c.sealed_credentials
    from broker_requests r
    left join broker_connections c on c.id = r.connection_id
    left join brokers b on b.id = c.broker_id
    where r.answered_at is null and r.expires_at > clock_timestamp()
      and (case when r.connection_id is null then ${hasMarket}
        else c.sealed_credentials is not null and shard_of(r.connection_id) = any(${shards}::int[]) end)
    order by r.asked_at`.execute(database);
  return rows.map(({ id, kind, vendor, ...row }) => ({
    id,
    kind,
    vendor,
    connection:
      row.connection_id === null || row.sealed_credentials === null
        ? null
        : {
            id: row.connection_id,
            vendor,
            accountId: row.account_id,
            sealedCredentials: row.sealed_credentials,
          },
  }));
}

/** The first answer counts. Whoever waits is notified when the transaction commits. */
export async function answerRequest(
  trx: Kysely<Tables>,
  { id, answer }: { readonly id: string; readonly answer: AnsweredRequest },
): Promise<void> {
  await sql`
    with answered as (
      update broker_requests set answered_at = clock_timestamp(), answer = ${JSON.stringify(answer)}::jsonb
      where id = ${id} and answered_at is null returning id)
    select pg_notify(${ANSWERS_CHANNEL}, id::text) from answered`.execute(trx);
}

/** Null while it is open. */
export async function findAnswer(database: Kysely<Tables>, id: string): Promise<AnsweredRequest | null> {
  const row = await database
    .selectFrom('broker_requests')
    .select('answer')
    .where('id', '=', id)
    .executeTakeFirst();
  return (row?.answer ?? null) as AnsweredRequest | null;
}

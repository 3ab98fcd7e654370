// Cash of the connected broker accounts: the trader's last reading, and what deployments claim of it.
import { type Kysely, sql } from 'kysely';
import {
  type AccountCash,
  CASH_AWAITED_MS,
  CASH_FRESH_MS,
  CASH_RENEWED_MS,
  type AwaitingCash,
  type Claims,
} from '#engine/execution/connection/account-cash.ts';
import type { BrokerAccountId, BrokerConnectionId, DeploymentId } from '#units/identifiers.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Tables } from '../tables.ts';

/** Until the transaction ends nobody else claims cash of the account or saves a reading of it. */
export async function lockAccountCash(trx: Kysely<Tables>, accountId: BrokerAccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`account cash ${accountId}`}, 0))`.execute(trx);
}

/** Cash that live deployments in the account have not spent. */
export async function readClaims(database: Kysely<Tables>, accountId: BrokerAccountId): Promise<Claims> {
  const rows = await database
    .selectFrom('live_deployments as d')
    .innerJoin('broker_connections as c', 'c.id', 'd.broker_connection_id')
    .select(['d.id', 'd.cash_micro'])
    .where('c.account_id', '=', accountId)
    .execute();
  return new Map(rows.map(({ id, cash_micro }) => [id as DeploymentId, parseMicro(cash_micro)]));
}

/** Null when there is no reading, or only one too old to deploy on. */
export async function findFreshCash(
  database: Kysely<Tables>,
  accountId: BrokerAccountId,
): Promise<AccountCash | null> {
  const row = await database
    .selectFrom('account_cash')
    .select(['cash_micro', 'claimed_micro'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`read_at > clock_timestamp() - ${CASH_FRESH_MS} * interval '1 millisecond'`)
    .executeTakeFirst();
  return row ? { cash: parseMicro(row.cash_micro), claimed: parseMicro(row.claimed_micro) } : null;
}

/** The database's clock, to be taken before the broker is asked. */
export async function readDatabaseClock(database: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(database);
  return rows[0]!.at;
}

type Reading = AccountCash & { readonly accountId: BrokerAccountId; readonly readAt: string };

/** Under the account's lock. A reading that was overtaken by a newer one is dropped. */
export async function saveAccountCash(trx: Kysely<Tables>, reading: Reading): Promise<void> {
  const { accountId, cash, claimed, readAt } = reading;
  await sql`
    insert into account_cash (account_id, cash_micro, claimed_micro, read_at)
    values (${accountId}, ${cash}, ${claimed}, ${readAt}::timestamptz)
    on conflict (account_id) do update set cash_micro = excluded.cash_micro,
      claimed_micro = excluded.claimed_micro, read_at = excluded.read_at
    where account_cash.read_at < excluded.read_at`.execute(trx);
}

/** Under the account's lock: a new deployment claims cash of the last reading. */
export async function claimCash(
  trx: Kysely<Tables>,
  { accountId, amount }: { readonly accountId: BrokerAccountId; readonly amount: Micro },
): Promise<void> {
  await trx
    .updateTable('account_cash')
    .set({ claimed_micro: sql`claimed_micro + ${amount}` })
    .where('account_id', '=', accountId)
    .execute();
}

export type CashCheck = {
  readonly accountId: BrokerAccountId;
  /** Deployments of the account that were made before its cash was known, oldest first. */
  readonly awaiting: readonly AwaitingCash[];
};

/** Null when the cash that a deployment needs was known when it was made, or has been checked since. */
export async function findCashCheck(database: Kysely<Tables>, id: DeploymentId): Promise<CashCheck | null> {
  const { rows } = await sql<{ account_id: BrokerAccountId; awaiting: { id: DeploymentId; cash: string }[] }>`
    select c.account_id, (
      select json_agg(json_build_object('id', o.id, 'cash', o.cash_micro::text) order by o.created_at, o.id)
      from live_deployments o join broker_connections oc on oc.id = o.broker_connection_id
      where oc.account_id = c.account_id and o.awaits_cash) as awaiting
    from live_deployments d join broker_connections c on c.id = d.broker_connection_id
    where d.id = ${id} and d.awaits_cash and c.account_id is not null`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  const awaiting = row.awaiting.map((one) => ({ id: one.id, cash: parseMicro(one.cash) }));
  return { accountId: row.account_id, awaiting };
}

export async function noteCashChecked(trx: Kysely<Tables>, id: DeploymentId): Promise<void> {
  await trx.updateTable('deployments').set({ awaits_cash: false }).where('id', '=', id).execute();
}

export type CashDue = {
  readonly id: BrokerConnectionId;
  readonly vendor: string;
  readonly accountId: BrokerAccountId;
  readonly sealedCredentials: Buffer;
};

/** Connected accounts whose cash is to be read again, the most urgent first. */
export async function listCashDue(
  database: Kysely<Tables>,
  { shards, except }: { readonly shards: readonly number[]; readonly except: readonly BrokerConnectionId[] },
): Promise<readonly CashDue[]> {
  const { rows } = await sql<{
    id: BrokerConnectionId;
    vendor: string;
    account_id: BrokerAccountId;
    sealed_credentials: Buffer;
  }>`
    select c.id, b.slug as vendor, c.account_id, c.sealed_credentials from broker_connections c
    join brokers b on b.id = c.broker_id
    left join account_cash k on k.account_id = c.account_id
    cross join lateral (select exists (select from live_deployments d
      where d.broker_connection_id = c.id and d.awaits_cash) as awaited) w
    where c.status = 'active' and c.account_id is not null and c.sealed_credentials is not null
      and shard_of(c.id) = any(${shards}::int[]) and c.id <> all(${except}::uuid[])
      and (k.read_at is null or k.read_at < clock_timestamp()
        - (case when w.awaited then ${CASH_AWAITED_MS}::int else ${CASH_RENEWED_MS}::int end) * interval '1 millisecond')
    order by w.awaited desc, k.read_at nulls first limit ${CASH_DUE_MAX}`.execute(database);
  return rows.map((row) => ({
    id: row.id,
    vendor: row.vendor,
    accountId: row.account_id,
    sealedCredentials: row.sealed_credentials,
  }));
}

const CASH_DUE_MAX = 50;

// The commissions of booked executions: estimates until the broker states its own figure.
import { type Kysely, sql } from 'kysely';
import type { BookedCommission, KnownTrade } from '#engine/execution/reconciliation/revise-commission.ts';
import type { BrokerAccountId, BrokerConnectionId, ExecutionId, Symbol } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { parseQuantity } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

/** Of this connection's own orders. What an adjustment has undone, or is to undo, has no commission any more. */
export async function listBookedCommissions(
  database: Kysely<Tables>,
  { connection, account }: { readonly connection: BrokerConnectionId; readonly account: BrokerAccountId },
  ids: readonly ExecutionId[],
): Promise<readonly BookedCommission[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<
    Omit<BookedCommission, 'commission' | 'quantity'> & { commission: string; quantity: string }
  >`
    select f.execution_id as "executionId", f.account_id as "accountId", f.deployment_id as "deploymentId",
      f.quantity, f.price::float8 as price,
      f.commission_micro::text as commission, f.is_provisional as "isProvisional", f.commission_revision as revision
    from fills f join orders o on o.id = f.order_id
    where f.account_id = ${account} and f.execution_id = any(${ids}::text[]) and o.broker_connection_id = ${connection}
      and not exists (select from adjustments k where k.account_id = f.account_id
        and k.undoes_execution = f.execution_id and k.status in ('open', 'approved', 'applied'))`.execute(
    database,
  );
  return rows.map((row) => ({
    ...row,
    quantity: parseQuantity(row.quantity),
    commission: parseMicro(row.commission),
  }));
}

export type ExternalCommission = KnownTrade & { readonly executionId: ExecutionId };

/** Of the owner's own trades in the account. */
export async function listExternalCommissions(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  ids: readonly ExecutionId[],
): Promise<readonly ExternalCommission[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{
    executionId: ExecutionId;
    quantity: string;
    price: number;
    commission: string | null;
  }>`
    select execution_id as "executionId", quantity, price::float8 as price, commission_micro::text as commission
    from suspense_entries
    where account_id = ${account} and kind = 'external_trade' and execution_id = any(${ids}::text[])`.execute(
    database,
  );
  return rows.map((row) => ({
    ...row,
    quantity: parseQuantity(row.quantity),
    commission: row.commission === null ? null : parseMicro(row.commission),
    isProvisional: false,
  }));
}

export async function changeExternalCommission(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  { executionId, commission }: { readonly executionId: ExecutionId; readonly commission: Micro },
): Promise<void> {
  await sql`
    update suspense_entries set commission_micro = ${String(commission)}::bigint
    where account_id = ${account} and kind = 'external_trade' and execution_id = ${executionId}`.execute(
    database,
  );
}

/** Answers of which instrument the execution is, and its place among the bookings. The caller holds the lock of the deployment. */
export async function changeCommission(
  trx: Kysely<Tables>,
  { accountId, executionId, commission: booked, revision }: BookedCommission,
  commission: Micro,
): Promise<{ readonly symbol: Symbol; readonly place: number }> {
  const { symbol, booking_place: place } = await trx
    .updateTable('fills')
    .set({
      commission_micro: commission,
      is_provisional: false,
      commission_revision: commission === booked ? revision : revision + 1,
    })
    .where('account_id', '=', accountId)
    .where('execution_id', '=', executionId)
    .returning(['symbol', 'booking_place'])
    .executeTakeFirstOrThrow();
  return { symbol, place: Number(place) };
}

/** The oldest execution of a connection whose commission is an estimate. Null when there is none. */
export async function provisionalSince(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<Instant | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(f.executed_at) as at from fills f join deployments d on d.id = f.deployment_id
    where f.is_provisional and d.broker_connection_id = ${connection}`.execute(database);
  const at = rows[0]?.at;
  return at ? parseInstant(at) : null;
}

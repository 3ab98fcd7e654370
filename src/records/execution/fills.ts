// Executions, booked once each: the key is the account and the broker's execution id.
import { type Kysely, sql } from 'kysely';
import type { SuspenseEntry } from '#engine/adjustments/suspense-entry.ts';
import type { Side } from '#engine/order/order.ts';
import type {
  BrokerAccountId,
  BrokerConnectionId,
  DeploymentId,
  ExecutionId,
  OrderId,
  Symbol,
} from '#units/identifiers.ts';
import { DAY_MS, type Instant, isoText, parseInstant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import { type Quantity, quantityText } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

type FillRecord = {
  readonly executionId: ExecutionId;
  readonly accountId: BrokerAccountId;
  readonly orderId: OrderId;
  readonly deploymentId: DeploymentId;
  readonly symbol: Symbol;
  readonly side: Side;
  /** Positive. */
  readonly quantity: Quantity;
  readonly price: number;
  readonly commission: Micro;
  /** The commission is our estimate. */
  readonly isProvisional?: boolean | undefined;
  /** Profit on the quantity that it closed, before commission. */
  readonly realized: Micro;
  readonly at: Instant;
  /** As in the engine's Fill. */
  readonly splitRatio?: number | undefined;
};

/** 'repeated' when it is already booked: then nothing was written, and nothing else may be. */
export async function insertFill(trx: Kysely<Tables>, fill: FillRecord): Promise<'booked' | 'repeated'> {
  const result = await trx
    .insertInto('fills')
    .values({
      execution_id: fill.executionId,
      account_id: fill.accountId,
      order_id: fill.orderId,
      deployment_id: fill.deploymentId,
      symbol: fill.symbol,
      side: fill.side,
      quantity: quantityText(fill.quantity),
      price: fill.price,
      commission_micro: fill.commission,
      is_provisional: fill.isProvisional ?? false,
      realized_micro: fill.realized,
      executed_at: isoText(fill.at),
      split_ratio: fill.splitRatio ?? 1,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'execution_id']).doNothing())
    .executeTakeFirstOrThrow();
  return result.numInsertedOrUpdatedRows === 1n ? 'booked' : 'repeated';
}

/** Attributed to no deployment. 'repeated' when it is already known. */
export async function insertSuspenseEntry(
  database: Kysely<Tables>,
  fill: SuspenseEntry,
): Promise<'booked' | 'repeated'> {
  const result = await database
    .insertInto('suspense_entries')
    .values({
      kind: fill.kind,
      execution_id: fill.executionId,
      account_id: fill.accountId,
      symbol: fill.symbol,
      side: fill.side,
      quantity: quantityText(fill.quantity),
      price: fill.price,
      executed_at: isoText(fill.at),
      commission_micro: fill.commission ?? null,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'execution_id', 'kind']).doNothing())
    .executeTakeFirstOrThrow();
  return result.numInsertedOrUpdatedRows === 1n ? 'booked' : 'repeated';
}

/** Held executions that an adjustment has booked. */
const BOOKED = sql`status = 'applied' and closes_as = 'adjustment'`;

/** Which of these executions are already known, booked or external. */
export async function knownExecutions(
  database: Kysely<Tables>,
  accountId: BrokerAccountId,
  ids: readonly ExecutionId[],
): Promise<Set<ExecutionId>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ execution_id: ExecutionId }>`
    select execution_id from fills where account_id = ${accountId} and execution_id = any(${ids}::text[])
    union all
    select execution_id from suspense_entries where account_id = ${accountId} and execution_id = any(${ids}::text[])
    union all
    select execution_id from broker_inbox
    where account_id = ${accountId} and execution_id = any(${ids}::text[]) and is_in_opening
    union all
    select execution_id from adjustments
    where account_id = ${accountId} and execution_id = any(${ids}::text[]) and ${BOOKED}`.execute(database);
  return new Set(rows.map((row) => row.execution_id));
}

/** The known revisions of one execution, booked or external. */
export async function knownRevisions(
  database: Kysely<Tables>,
  accountId: BrokerAccountId,
  stem: string,
): Promise<readonly ExecutionId[]> {
  const { rows } = await sql<{ id: ExecutionId }>`
    select execution_id as id from fills where account_id = ${accountId} and starts_with(execution_id, ${stem})
    union all
    select execution_id from suspense_entries where account_id = ${accountId} and starts_with(execution_id, ${stem})
    union all
    select execution_id from adjustments
    where account_id = ${accountId} and starts_with(execution_id, ${stem}) and ${BOOKED}`.execute(database);
  return rows.map(({ id }) => id);
}

/** Start of possibly missing executions of a connection: its newest booked one, else its oldest deployment. */
export async function lastExecutionAt(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<Instant | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select coalesce(
      (select max(f.executed_at) from fills f join deployments d on d.id = f.deployment_id
       where d.broker_connection_id = ${connection}),
      (select min(deployed_at) from deployments where broker_connection_id = ${connection})
    ) as at`.execute(database);
  const at = rows[0]?.at;
  return at ? parseInstant(at) : null;
}

/** From when on a broker's executions are compared with ours: a week before the last that is booked. */
export async function verifiedSince(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<Instant> {
  return (((await lastExecutionAt(database, connection)) ?? 0) - COMPARED_MS) as Instant;
}

const COMPARED_MS = 7 * DAY_MS;

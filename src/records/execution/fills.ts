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

/** Takes their places among the bookings in this order. Throws FillRepeated, and then nothing of its transaction may stay. */
export async function insertFills(trx: Kysely<Tables>, fills: readonly FillRecord[]): Promise<void> {
  if (fills.length === 0) return;
  const column = <Value>(pick: (fill: FillRecord) => Value) => fills.map(pick);
  const { numAffectedRows } = await sql`
    insert into fills (execution_id, account_id, order_id, deployment_id, symbol, side, quantity, price, commission_micro,
      is_provisional, realized_micro, executed_at, split_ratio)
    select execution_id, account_id, order_id, deployment_id, symbol, side, quantity, price, commission_micro,
      is_provisional, realized_micro, executed_at, split_ratio
    from unnest(
      ${column((f) => f.executionId)}::text[],
      ${column((f) => f.accountId)}::text[],
      ${column((f) => f.orderId)}::uuid[],
      ${column((f) => f.deploymentId)}::uuid[],
      ${column((f) => f.symbol)}::text[],
      ${column((f) => f.side)}::text[],
      ${column((f) => quantityText(f.quantity))}::numeric[],
      ${column((f) => f.price)}::numeric[],
      ${column((f) => f.commission)}::bigint[],
      ${column((f) => f.isProvisional ?? false)}::boolean[],
      ${column((f) => f.realized)}::bigint[],
      ${column((f) => isoText(f.at))}::timestamptz[],
      ${column((f) => f.splitRatio ?? 1)}::numeric[]
    ) with ordinality as f (execution_id, account_id, order_id, deployment_id, symbol, side, quantity, price, commission_micro,
      is_provisional, realized_micro, executed_at, split_ratio, place)
    order by place
    on conflict (account_id, execution_id) do nothing`.execute(trx);
  if (numAffectedRows !== BigInt(fills.length)) throw new FillRepeated('an execution was booked meanwhile');
}

/** Another transaction has booked one of them since they were looked up. */
export class FillRepeated extends Error {}

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

export type ReportedId = {
  readonly accountId: BrokerAccountId;
  readonly executionId: ExecutionId;
  readonly revisionStem?: string | null | undefined;
};

/** What the books know of an execution. */
export type KnownExecution = {
  /** Booked or external, or older than the account's opening. */
  readonly isKnown: boolean;
  /** The known revisions of it, booked or external. */
  readonly revisions: readonly ExecutionId[];
};

/** Of each of these, in their order. */
export async function knownOf(
  database: Kysely<Tables>,
  reported: readonly ReportedId[],
): Promise<readonly KnownExecution[]> {
  if (reported.length === 0) return [];
  const { rows } = await sql<{ isKnown: boolean; revisions: readonly ExecutionId[] }>`
    select exists (select from fills f where f.account_id = r.account and f.execution_id = r.id)
        or exists (select from suspense_entries s where s.account_id = r.account and s.execution_id = r.id)
        or exists (select from broker_inbox i where i.account_id = r.account and i.execution_id = r.id and i.is_in_opening)
        or exists (select from adjustments where account_id = r.account and execution_id = r.id and ${BOOKED}) as "isKnown",
      case when r.stem is null then '{}' else array(
        select f.execution_id from fills f where f.account_id = r.account and starts_with(f.execution_id, r.stem)
        union all
        select s.execution_id from suspense_entries s where s.account_id = r.account and starts_with(s.execution_id, r.stem)
        union all
        select execution_id from adjustments where account_id = r.account and starts_with(execution_id, r.stem) and ${BOOKED}
      ) end as revisions
    from unnest(${reported.map((one) => one.accountId)}::text[], ${reported.map((one) => one.executionId)}::text[],
      ${reported.map((one) => one.revisionStem ?? null)}::text[]) with ordinality as r (account, id, stem, place)
    order by r.place`.execute(database);
  return rows;
}

/** Start of possibly missing executions of a connection: its newest booked one, else its oldest deployment. */
export async function lastExecutionAt(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<Instant | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select coalesce(
      (select max(newest.executed_at) from deployments d cross join lateral (select f.executed_at from fills f
         where f.deployment_id = d.id order by f.executed_at desc limit 1) newest
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

// Executions as brokers report them, stored before they are processed: an execution that cannot be booked yet is held
// here, even when the broker no longer reports it.
import { type Kysely, sql } from 'kysely';
import type { ExecutionHold } from '#engine/execution/reconciliation/execution-hold.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import type { BrokerAccountId, BrokerConnectionId, ExecutionId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

type Inbox = { readonly connection: BrokerConnectionId; readonly account: BrokerAccountId };

export type Received = Inbox & { readonly execution: BrokerExecution };

/**
 * What is still held takes its newest report: the earlier one may have been read out of a spoilt answer. A list may name an
 * execution twice: its last report counts.
 */
export async function receiveExecutions(
  database: Kysely<Tables>,
  received: readonly Received[],
): Promise<void> {
  if (received.length === 0) return;
  await sql`
    insert into broker_inbox (account_id, execution_id, connection_id, report)
    select distinct on (account, e ->> 'executionId') account, e ->> 'executionId', connection, e
    from unnest(${received.map(({ account }) => account)}::text[], ${received.map(({ connection }) => connection)}::uuid[],
      ${received.map(({ execution }) => JSON.stringify(execution))}::jsonb[]) with ordinality as listed (account, connection, e, place)
    order by account, e ->> 'executionId', place desc
    on conflict (account_id, execution_id) do update set report = excluded.report
      where broker_inbox.closed_at is null and broker_inbox.connection_id = excluded.connection_id
        and broker_inbox.report <> excluded.report`.execute(database);
}

/** Neither booked nor external yet, in order of execution. */
export async function listHeldExecutions(
  database: Kysely<Tables>,
  { connection, account }: Inbox,
): Promise<readonly BrokerExecution[]> {
  const { rows } = await sql<{ report: BrokerExecution }>`
    select report from broker_inbox where connection_id = ${connection} and account_id = ${account} and closed_at is null
    order by (report ->> 'at')::bigint, execution_id`.execute(database);
  return rows.map(({ report }) => report);
}

/** As reported, regardless of its outcome. */
export async function findReceived(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  id: ExecutionId,
): Promise<BrokerExecution | null> {
  const { rows } = await sql<{ report: BrokerExecution }>`
    select report from broker_inbox where account_id = ${account} and execution_id = ${id}`.execute(database);
  return rows[0]?.report ?? null;
}

/** `hold` is why it could not be booked; null when it was. */
export async function noteExecution(
  database: Kysely<Tables>,
  { account }: Inbox,
  { id, hold }: { readonly id: ExecutionId; readonly hold: ExecutionHold | null },
): Promise<void> {
  const { code = null, ...params } = hold ?? {};
  const about = Object.keys(params).length === 0 ? null : JSON.stringify(params);
  await sql`
    update broker_inbox set hold_code = ${code}, hold_params = ${about}::jsonb,
      closed_at = case when ${code}::text is null then clock_timestamp() end
    where account_id = ${account} and execution_id = ${id} and closed_at is null
      and (${code}::text is null or (hold_code, hold_params) is distinct from (${code}, ${about}::jsonb))`.execute(
    database,
  );
}

/** They are in the books now, or will never be. */
export async function closeReceived(
  trx: Kysely<Tables>,
  closed: readonly { readonly account: BrokerAccountId; readonly id: ExecutionId }[],
): Promise<void> {
  if (closed.length === 0) return;
  await sql`
    update broker_inbox i set hold_code = null, hold_params = null, closed_at = clock_timestamp()
    from unnest(${closed.map(({ account }) => account)}::text[], ${closed.map(({ id }) => id)}::text[]) as c (account, id)
    where i.account_id = c.account and i.execution_id = c.id and i.closed_at is null`.execute(trx);
}

export type HoldColumns = { readonly hold_code: ExecutionHold['code']; readonly hold_params: unknown };

/** From columns that `noteExecution` has written. */
export function parseHold({ hold_code, hold_params }: HoldColumns): ExecutionHold {
  return { code: hold_code, ...(hold_params as object | null) } as ExecutionHold;
}

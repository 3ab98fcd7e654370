// Trouble that the records themselves show, whoever wrote it down: as incidents, so that none of it waits unseen.
import { type Kysely, sql } from 'kysely';
import type { NewIncident } from '#engine/incidents/incident-changes.ts';
import type { IncidentKind } from '#engine/incidents/incident-kind.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { fromMicro, parseMicro } from '#units/money.ts';
import { parseWallInstant } from '#units/wall-instant.ts';
import type { Tables } from '../tables.ts';

export const RECORDED_KINDS = [
  'position_unexplained',
  'payment_disputed',
  'liquidation_overdue',
] as const satisfies readonly IncidentKind[];

export async function listRecordedTrouble(database: Kysely<Tables>): Promise<readonly NewIncident[]> {
  return [
    ...(await listUnexplained(database)),
    ...(await listDisputed(database)),
    ...(await listOverdueLiquidations(database)),
  ];
}

type Row = { readonly accountId: BrokerAccountId; readonly symbol: Symbol; readonly since: Date };

/** Differences that nothing explains, of accounts that trade. */
async function listUnexplained(
  database: Kysely<Tables>,
): Promise<readonly NewIncident<'position_unexplained'>[]> {
  const { rows } = await sql<Row>`
    select f.account_id as "accountId", f.symbol, f.since from reconciliation_breaks f
    where f.ended_at is null and f.kind = 'unexplained' and exists (select from broker_connections c
      join live_deployments d on d.broker_connection_id = c.id
      where c.account_id = f.account_id and c.status = 'active')`.execute(database);
  return rows.map(({ accountId, symbol, since }) => ({
    kind: 'position_unexplained',
    subject: accountId,
    accountId,
    symbol,
    facts: {},
    since: parseWallInstant(since),
  }));
}

/** Payments that clients have asked their bank to take back, until the bank has decided. */
async function listDisputed(database: Kysely<Tables>): Promise<readonly NewIncident<'payment_disputed'>[]> {
  const { rows } = await sql<{ id: string; amount: string; because: string; since: Date }>`
    select id, amount_micro::text as amount, because, opened_at as since from disputes where status = 'open'`.execute(
    database,
  );
  return rows.map(({ id, amount, because, since }) => ({
    kind: 'payment_disputed',
    subject: id,
    facts: { because, dollars: fromMicro(parseMicro(amount)) },
    since: parseWallInstant(since),
  }));
}

/** Requests to liquidate that support has not decided by the time that it promised; real clock. */
async function listOverdueLiquidations(
  database: Kysely<Tables>,
): Promise<readonly NewIncident<'liquidation_overdue'>[]> {
  const { rows } = await sql<{ id: string; since: Date }>`
    select deployment_id as id, decide_by as since from liquidation_requests
    where status = 'open' and decide_by <= clock_timestamp()`.execute(database);
  return rows.map(({ id, since }) => ({
    kind: 'liquidation_overdue',
    subject: id,
    facts: {},
    since: parseWallInstant(since),
  }));
}

// Trouble that the records themselves show, whoever wrote it down: as incidents, so that none of it waits unseen.
import { type Kysely, sql } from 'kysely';
import type { NewIncident } from '#engine/incidents/incident-changes.ts';
import type { IncidentKind } from '#engine/incidents/incident-kind.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { fromMicro, parseMicro } from '#units/money.ts';
import { parseWallInstant } from '#units/wall-instant.ts';
import { IS_UNPAID } from '../postgres/fee-dues.ts';
import type { Tables } from '../tables.ts';

export const RECORDED_KINDS = [
  'position_unexplained',
  'payment_disputed',
  'payment_taken_back',
  'liquidation_overdue',
] as const satisfies readonly IncidentKind[];

export async function listRecordedTrouble(database: Kysely<Tables>): Promise<readonly NewIncident[]> {
  return [
    ...(await listUnexplained(database)),
    ...(await listDisputed(database)),
    ...(await listTakenBack(database)),
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
  const { rows } = await sql<{
    id: string;
    amount: string;
    because: string;
    since: Date;
    respondBy: Date | null;
  }>`
    select id, amount_micro::text as amount, because, opened_at as since, respond_by as "respondBy" from disputes
    where status = 'open'`.execute(database);
  return rows.map(({ id, amount, because, since, respondBy }) => ({
    kind: 'payment_disputed',
    subject: id,
    facts: {
      because,
      dollars: fromMicro(parseMicro(amount)),
      until: respondBy === null ? null : respondBy.toISOString(),
    },
    since: parseWallInstant(since),
  }));
}

/** What banks took back: fees until they are paid again, any other payment for two weeks; real clock. */
async function listTakenBack(
  database: Kysely<Tables>,
): Promise<readonly NewIncident<'payment_taken_back'>[]> {
  const { rows } = await sql<{ id: string; amount: string; purpose: string | null; since: Date }>`
    select d.id, d.amount_micro::text as amount, c.purpose, d.ended_at as since
    from disputes d left join charges c on c.id = d.charge_id left join fee_bills b on b.id = c.bill_id
    where d.status = 'lost' and case when c.bill_id is null then d.ended_at > clock_timestamp() - interval '14 days'
      else ${IS_UNPAID} end`.execute(database);
  return rows.map(({ id, amount, purpose, since }) => ({
    kind: 'payment_taken_back',
    subject: id,
    facts: { dollars: fromMicro(parseMicro(amount)), purpose },
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

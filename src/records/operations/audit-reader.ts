// Finds rows of the audit log for those who may read it.
import { type Expression, type Kysely, sql, type SqlBool } from 'kysely';
import type { AuditKind } from '#rules/operations/audit-kind.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';
import { type AuditRow, isSealed } from './audit-log.ts';

export type AuditFilter = {
  /** An e-mail address or an id. */
  readonly person?: string | undefined;
  /** The number of a brokerage account. */
  readonly account?: string | undefined;
  /** A client order id. */
  readonly order?: string | undefined;
  readonly kind?: AuditKind | undefined;
  /** Days, UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly before?: number | undefined;
};

/** Newest first. `holds`: the row's hash is that of its contents and of the row before it. */
export async function findAuditRows(
  database: Kysely<Tables>,
  filter: AuditFilter,
  limit: number,
): Promise<readonly (AuditRow & { readonly holds: boolean })[]> {
  const conditions = conditionsOf(filter);
  const where = conditions.length === 0 ? sql<SqlBool>`true` : sql.join(conditions, sql` and `);
  const { rows } = await sql<AuditRow & { before_hash: string | null }>`
    select l.seq::text, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, l.actor, l.action,
      l.subject, l.details, l.previous_hash, l.hash,
      (select b.hash from audit_log b where b.seq = l.seq - 1) as before_hash
    from audit_log l where ${where} order by l.seq desc limit ${limit}`.execute(database);
  return rows.map(({ before_hash: before, ...row }) => ({
    ...row,
    holds: isSealed(row) && row.previous_hash === (before ?? '0'.repeat(64)),
  }));
}

function conditionsOf({
  person,
  account,
  order,
  kind,
  from,
  to,
  before,
}: AuditFilter): Expression<SqlBool>[] {
  const asked: (Expression<SqlBool> | false)[] = [
    before !== undefined && sql<SqlBool>`l.seq < ${before}`,
    kind !== undefined && sql<SqlBool>`l.action like ${`${kind.replaceAll('_', '\\_')}.%`}`,
    from !== undefined && sql<SqlBool>`l.at >= ${from}::date at time zone 'UTC'`,
    to !== undefined && sql<SqlBool>`l.at < (${to}::date + 1) at time zone 'UTC'`,
    person !== undefined && ofPerson(person),
    account !== undefined && ofAccount(account),
    order !== undefined && ofOrder(order),
  ];
  return asked.filter((one) => one !== false);
}

/** What they did, and what happened to what is theirs. */
function ofPerson(person: string): Expression<SqlBool> {
  const isId: boolean = isUuid(person);
  const who = isId ? sql`u.id = ${person}::uuid` : sql`u.email = ${person.toLowerCase()}`;
  return sql<SqlBool>`(l.actor in (select unnest(array['client:' || u.id, 'staff:' || u.email]) from users u where ${who})
    or l.subject in (
      with whose as (select u.id from users u where ${who}), theirs as (
        select d.id, d.broker_connection_id from deployments d join whose on d.user_id = whose.id)
      select 'person:' || id from whose
      union all select 'deployment:' || id from theirs
      union all select 'connection:' || c.id from broker_connections c join whose on c.user_id = whose.id
      union all select 'broker_session:' || c.id from broker_connections c join whose on c.user_id = whose.id
      union all select 'agreement:' || a.id from agreements a join whose on a.user_id = whose.id
      union all select 'risk_profile:' || r.id from risk_profiles r join whose on r.user_id = whose.id
      union all select 'attestation:' || a.id from attestations a join whose on a.user_id = whose.id
      union all select 'identity_check:' || i.id from identity_checks i join whose on i.user_id = whose.id
      union all select 'liquidation_request:' || q.id from liquidation_requests q join theirs on q.deployment_id = theirs.id
      union all select 'fee_bill:' || b.id from fee_bills b join theirs on b.deployment_id = theirs.id))`;
}

/** Connections to it with their deployments and sessions, and what was found or booked there. */
function ofAccount(number: string): Expression<SqlBool> {
  const matches = sql`(c.account_id = ${number} or split_part(c.account_id, ':', 2) = ${number})`;
  return sql<SqlBool>`(l.subject in (
      select unnest(array['connection:' || c.id, 'broker_session:' || c.id]) from broker_connections c where ${matches}
      union all select 'deployment:' || d.id from deployments d
        join broker_connections c on c.id = d.broker_connection_id where ${matches})
    or (l.action like any (array['reconciliation\\_break.%', 'adjustment.%', 'cash\\_break.%', 'account\\_opening.%', 'proposal.%'])
      and exists (select from (select distinct c.account_id from broker_connections c where ${matches}) as c
        where position(to_json(c.account_id)::text in l.details) > 0)))`;
}

/** A statement with more than twenty orders names their digest alone. */
function ofOrder(clientOrderId: string): Expression<SqlBool> {
  return sql<SqlBool>`((l.action like 'orders.%' and position(to_json(${clientOrderId}::text)::text in l.details) > 0)
    or l.subject in (
      select unnest(array['order_resolution:' || o.id, 'stop_retry:' || o.id]) from orders o
      where o.client_order_id = ${clientOrderId}))`;
}

export type AuditChain = {
  readonly rows: number;
  readonly head: string | null;
  readonly anchor: { readonly number: number; readonly line: string; readonly isSent: boolean } | null;
};

/** Rows are numbered from one without gaps. */
export async function findAuditChain(database: Kysely<Tables>): Promise<AuditChain> {
  const head = await database
    .selectFrom('audit_log')
    .select(['seq', 'hash'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const anchor = await database
    .selectFrom('audit_anchors')
    .select(['number', 'line', 'posted_at', 'mailed_at'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    rows: Number(head?.seq ?? 0),
    head: head?.hash ?? null,
    anchor:
      anchor === undefined
        ? null
        : {
            number: Number(anchor.number),
            line: anchor.line,
            isSent: anchor.posted_at !== null || anchor.mailed_at !== null,
          },
  };
}

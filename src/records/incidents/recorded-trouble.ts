// Trouble that the records themselves show, whoever wrote it down: as incidents, so that none of it waits unseen.
import { type Kysely, sql } from 'kysely';
import type { NewIncident } from '#engine/incidents/incident-changes.ts';
import type { IncidentKind } from '#engine/incidents/incident-kind.ts';
import type { BrokerAccountId, BrokerConnectionId, DeploymentId, Symbol } from '#units/identifiers.ts';
import { parseWallInstant } from '#units/wall-instant.ts';
import type { Tables } from '../tables.ts';

export const RECORDED_KINDS = [
  'order_unconfirmed',
  'exit_waits_for_stop',
  'position_unexplained',
] as const satisfies readonly IncidentKind[];

type Row = {
  readonly kind: (typeof RECORDED_KINDS)[number];
  readonly subject: string;
  readonly symbol: Symbol;
  readonly connectionId: BrokerConnectionId | null;
  readonly accountId: BrokerAccountId;
  readonly deploymentId: DeploymentId | null;
  readonly since: Date;
};

/** Unconfirmed orders, exits that have waited for the end of a stop too long, and differences of accounts that trade. */
export async function listRecordedTrouble(database: Kysely<Tables>): Promise<readonly NewIncident[]> {
  const { rows } = await sql<Row>`
    select case o.status when 'unknown' then 'order_unconfirmed' else 'exit_waits_for_stop' end as kind,
      o.id::text as subject, o.symbol, c.id as "connectionId", c.account_id as "accountId",
      o.deployment_id as "deploymentId", coalesce(o.unknown_since, o.reason_since, o.created_at) as since
    from orders o join broker_connections c on c.id = o.broker_connection_id
    where o.status = 'unknown' or (o.status = 'intended' and o.reason_code = 'stop_not_cancelled'
      and o.purpose not in ('rebalance', 'protective')
      and o.reason_since < clock_timestamp() - make_interval(secs => ${STOP_ENDS_WITHIN_SECONDS}))
    union all
    select 'position_unexplained', f.account_id, f.symbol, null, f.account_id, null, f.since from reconciliation_breaks f
    where f.ended_at is null and f.kind = 'unexplained' and exists (select from broker_connections c
      join live_deployments d on d.broker_connection_id = c.id
      where c.account_id = f.account_id and c.status = 'active')`.execute(database);
  return rows.map(({ since, ...row }) => ({ ...row, facts: {}, since: parseWallInstant(since) }));
}

/** A broker confirms a cancellation within a look or two. */
const STOP_ENDS_WITHIN_SECONDS = 60;

// Trouble that the records themselves show, whoever wrote it down: as incidents, so that none of it waits unseen.
import { type Kysely, sql } from 'kysely';
import type { HoldReason } from '#engine/execution/orders/order-reason.ts';
import type { NewIncident } from '#engine/incidents/incident-changes.ts';
import type { IncidentKind } from '#engine/incidents/incident-kind.ts';
import type { BrokerAccountId, BrokerConnectionId, DeploymentId, Symbol } from '#units/identifiers.ts';
import { parseWallInstant } from '#units/wall-instant.ts';
import { UNRESOLVED, UNRESOLVED_SINCE } from '../execution/order-resolutions.ts';
import type { Tables } from '../tables.ts';

export const RECORDED_KINDS = [
  'order_unconfirmed',
  'exit_waits_for_stop',
  'position_unprotected',
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

/**
 * Orders that only a person can resolve unless the broker does, exits that have waited for the end of a stop too long,
 * positions whose last stop was refused, and differences of accounts that trade.
 */
export async function listRecordedTrouble(database: Kysely<Tables>): Promise<readonly NewIncident[]> {
  const { rows } = await sql<Row>`
    select case when ${UNRESOLVED} then 'order_unconfirmed' else 'exit_waits_for_stop' end as kind,
      o.id::text as subject, o.symbol, c.id as "connectionId", c.account_id as "accountId",
      o.deployment_id as "deploymentId", coalesce(case when ${UNRESOLVED} then ${UNRESOLVED_SINCE} else o.reason_since end,
        o.created_at) as since
    from open_orders o join broker_connections c on c.id = o.broker_connection_id
    where ${UNRESOLVED} or (o.status = 'intended' and o.purpose not in ('rebalance', 'protective')
      and o.reason_code = any(${[...STOP_HOLDS]}::text[])
      and o.reason_since < clock_timestamp() - make_interval(secs => ${STOP_ENDS_WITHIN_SECONDS}))
    union all
    select 'position_unprotected', f.id::text, p.symbol, c.id, c.account_id, f.id, o.created_at
    from following_deployments f join positions p on p.deployment_id = f.id
    join broker_connections c on c.id = f.broker_connection_id
    cross join lateral (select status, created_at from orders s where s.deployment_id = f.id and s.symbol = p.symbol
      and s.purpose = 'protective' order by s.created_at desc, s.attempt desc limit 1) o
    where f.stop_loss_percentage > 0 and o.status = 'rejected'
    union all
    select 'position_unexplained', f.account_id, f.symbol, null, f.account_id, null, f.since from reconciliation_breaks f
    where f.ended_at is null and f.kind = 'unexplained' and exists (select from broker_connections c
      join live_deployments d on d.broker_connection_id = c.id
      where c.account_id = f.account_id and c.status = 'active')`.execute(database);
  return rows.map(({ since, ...row }) => ({ ...row, facts: {}, since: parseWallInstant(since) }));
}

/** See `awaitsStop`. */
const STOP_HOLDS: readonly HoldReason['code'][] = ['stop_not_cancelled', 'stop_not_confirmed'];

/** A broker confirms a cancellation within a look or two. */
const STOP_ENDS_WITHIN_SECONDS = 60;

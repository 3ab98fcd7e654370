// Open incidents with what staff need beside them: whom they concern, the money behind them, and the exits that wait.
import { type Kysely, sql } from 'kysely';
import {
  INCIDENT_SEVERITIES,
  type IncidentFacts,
  type IncidentKind,
  type IncidentMove,
  type IncidentSeverity,
} from '#engine/incidents/incident-kind.ts';
import type { BrokerAccountId, BrokerConnectionId, DeploymentId, Symbol } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

export type OpenIncident = {
  readonly id: string;
  readonly kind: IncidentKind;
  readonly subject: string;
  readonly symbol: Symbol | null;
  readonly connectionId: BrokerConnectionId | null;
  readonly deploymentId: DeploymentId | null;
  readonly accountId: BrokerAccountId | null;
  readonly brokerName: string | null;
  readonly facts: IncidentFacts;
  readonly severity: IncidentSeverity;
  readonly move: IncidentMove;
  readonly since: Date;
  readonly lastSeenAt: Date;
  /** E-mails of the owners of the deployments concerned. */
  readonly clients: readonly string[];
  /** Distinct names of their strategies. */
  readonly strategies: readonly string[];
  readonly deployments: number;
  readonly equityMicro: string;
  /** Unsent exits of these deployments; of the instrument, where the incident concerns one. */
  readonly exitsWaiting: number;
  /** The newest of support. */
  readonly note: string | null;
  readonly notedBy: string | null;
  readonly notedAt: Date | null;
};

/** The worst first, and of these the oldest; of one client, where an e-mail is named. */
export async function listOpenIncidents(
  database: Kysely<Tables>,
  max: number,
  client: string | null = null,
): Promise<readonly OpenIncident[]> {
  const { rows } = await sql<OpenIncident>`
    ${INCIDENT} where i.ended_at is null and (${client}::text is null or ${client} = any(k.clients))
    order by array_position(${[...INCIDENT_SEVERITIES]}::text[], i.severity), i.since, i.id limit ${max}`.execute(
    database,
  );
  return rows;
}

/** Ended ones too; the longest open first. */
export async function findIncidents(
  database: Kysely<Tables>,
  ids: readonly string[],
): Promise<readonly OpenIncident[]> {
  const { rows } = await sql<OpenIncident>`
    ${INCIDENT} where i.id = any(${[...ids]}::uuid[]) order by i.since, i.id`.execute(database);
  return rows;
}

/** An incident i concerns its deployment, else all of its connection or account, its strategy or its instrument. */
const IS_CONCERNED = sql`case
  when i.deployment_id is not null then d.id = i.deployment_id
  when i.connection_id is not null then d.broker_connection_id = i.connection_id
  when i.account_id is not null then exists (select from broker_connections a
    where a.id = d.broker_connection_id and a.account_id = i.account_id)
  when i.symbol is not null then exists (select from positions p where p.deployment_id = d.id and p.symbol = i.symbol)
  else d.strategy_version_id::text = i.subject end`;

const CONCERNED = sql`
  select coalesce(array_agg(distinct u.email::text), '{}') as clients,
    coalesce(array_agg(distinct s.name), '{}') as strategies, count(*)::int as deployments,
    coalesce(sum(d.equity_micro) filter (where d.mode = 'real'), 0)::text as "equityMicro", coalesce(sum(w.exits), 0)::int as "exitsWaiting"
  from live_deployments d
  join users u on u.id = d.user_id
  join strategies s on s.id = d.strategy_id
  cross join lateral (select count(*) as exits from orders o where o.deployment_id = d.id and o.status = 'intended'
    and o.purpose not in ('rebalance', 'protective') and (i.symbol is null or o.symbol = i.symbol)) w
  where ${IS_CONCERNED}`;

const INCIDENT = sql`
  select i.id, i.kind, i.subject, i.symbol, i.connection_id as "connectionId", i.deployment_id as "deploymentId",
    coalesce(i.account_id, c.account_id) as "accountId", b.name as "brokerName", i.facts, i.severity,
    coalesce((select h.whose_move from incident_notes h where h.incident_id = i.id and h.whose_move is not null
      order by h.id desc limit 1), i.whose_move) as move, i.since, i.last_seen_at as "lastSeenAt", k.*,
    n.note, n.email as "notedBy", n.noted_at as "notedAt"
  from incidents i
  left join deployments t on t.id = i.deployment_id
  left join broker_connections c on c.id = coalesce(i.connection_id, t.broker_connection_id)
  left join brokers b on b.id = coalesce(c.broker_id,
    (select min(a.broker_id::text)::uuid from broker_connections a where a.account_id = i.account_id))
  cross join lateral (${CONCERNED}) k
  left join lateral (select o.note, u.email, o.noted_at from incident_notes o join users u on u.id = o.noted_by
    where o.incident_id = i.id order by o.id desc limit 1) n on true`;

export type IncidentCount = {
  readonly kind: IncidentKind;
  readonly severity: IncidentSeverity;
  readonly count: number;
  /** Since when the oldest is open. */
  readonly oldest: Date;
};

export async function countOpenIncidents(database: Kysely<Tables>): Promise<readonly IncidentCount[]> {
  const { rows } = await sql<IncidentCount>`
    select kind, severity, count(*)::int, min(since) as oldest from incidents where ended_at is null
    group by kind, severity order by kind, severity`.execute(database);
  return rows;
}

import { type Kysely, sql } from 'kysely';
import {
  INCIDENT_KINDS,
  type IncidentKind,
  incidentRule,
  type IncidentSubject,
} from '#engine/incidents/incident-kind.ts';
import { UNREAD_INCIDENTS } from '#engine/incidents/unread-incidents.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import type { Tables } from '../tables.ts';
import { endIncident } from './incidents.ts';

/** Ends what no one will end: its connection has no live deployment any more, or its deployment has ended. */
export async function endObsoleteIncidents(database: Kysely<Tables>, at: WallInstant): Promise<void> {
  const of = (subject: IncidentSubject) =>
    INCIDENT_KINDS.filter((kind) => incidentRule(kind).subject === subject);
  const { rows } = await sql<{ kind: IncidentKind; subject: string; symbol: Symbol | null }>`
    select kind, subject, symbol from incidents i where ended_at is null and (
      kind = any(${of('connection')}::text[]) and connection_id is not null and not exists (select from live_deployments d
        where d.broker_connection_id = i.connection_id)
      or kind = any(${[...UNREAD_INCIDENTS]}::text[]) and connection_id is not null and not exists (select
        from live_deployments d where d.broker_connection_id = i.connection_id)
      or kind = any(${of('deployment')}::text[]) and deployment_id is not null and not exists (select from live_deployments d
        where d.id = i.deployment_id))`.execute(database);
  for (const key of rows) await endIncident(database, key, { how: 'obsolete', at });
}

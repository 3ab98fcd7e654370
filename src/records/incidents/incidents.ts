// Incidents are opened and ended where they are seen, in the caller's transaction or one of their own. Opening what is open
// only notes that it was seen again; what happens again after its end is another row.
import { type Kysely, sql } from 'kysely';
import { incidentChanges, type IncidentKey, type NewIncident } from '#engine/incidents/incident-changes.ts';
import {
  type IncidentEnd,
  type IncidentKind,
  incidentRule,
  type IncidentSeverity,
} from '#engine/incidents/incident-kind.ts';
import { severityAt } from '#engine/incidents/severity-at.ts';
import type { BrokerConnectionId, Symbol } from '#units/identifiers.ts';
import { parseWallInstant, type WallInstant, wallText } from '#units/wall-instant.ts';
import { sendJobs } from '../jobs/send-jobs.ts';
import type { Tables } from '../tables.ts';

/** Repeats within SEEN_EVERY_SECONDS that change nothing write nothing. Its severity only grows. */
export async function openIncident<Kind extends IncidentKind>(
  database: Kysely<Tables>,
  incident: NewIncident<Kind>,
  at: WallInstant,
): Promise<void> {
  await inTransaction(database, (trx) => writeIncident(trx, incident, at));
}

async function writeIncident(trx: Kysely<Tables>, incident: NewIncident, at: WallInstant): Promise<void> {
  const { kind, subject, symbol = null, facts, since = at } = incident;
  const { connectionId = null, accountId = null, deploymentId = null } = incident;
  const { severity, ...rule } = incidentRule(kind);
  const { rows } = await sql<Written & { readonly severityBefore: IncidentSeverity | null }>`
    with was as (select severity from incidents where kind = ${kind} and subject = ${subject}
      and symbol is not distinct from ${symbol} and ended_at is null)
    insert into incidents as i (kind, subject, symbol, connection_id, account_id, deployment_id, facts, severity,
      whose_move, since, last_seen_at)
    values (${kind}, ${subject}, ${symbol}, ${connectionId}, ${accountId}, ${deploymentId},
      ${JSON.stringify(facts)}::jsonb, ${severityAt({ ...rule, severity: incident.severity ?? severity }, since, at)}, ${incident.move ?? rule.move}, ${wallText(since)},
      ${wallText(at)})
    on conflict (kind, subject, symbol) where ended_at is null do update
      set facts = excluded.facts, whose_move = excluded.whose_move,
        severity = case when excluded.severity = 'act_now' then 'act_now' else i.severity end, last_seen_at = excluded.last_seen_at,
        connection_id = coalesce(excluded.connection_id, i.connection_id),
        account_id = coalesce(excluded.account_id, i.account_id),
        deployment_id = coalesce(excluded.deployment_id, i.deployment_id)
      where (i.facts, i.whose_move) is distinct from (excluded.facts, excluded.whose_move)
        or (excluded.severity = 'act_now' and i.severity <> 'act_now')
        or i.last_seen_at < excluded.last_seen_at - make_interval(secs => ${SEEN_EVERY_SECONDS})
    returning id, severity, xmax = 0 as "isNew", (select severity from was) as "severityBefore"`.execute(trx);
  const [written] = rows;
  if (written?.isNew === true || written?.severityBefore === 'today' || written?.severityBefore === 'watch')
    await sendAlarms(trx, 'opened', rows);
}

type Written = { readonly id: string; readonly severity: IncidentSeverity; readonly isNew: boolean };

/** Of incidents to act on now: sent with the transaction that opens, worsens or ends them. */
async function sendAlarms(
  trx: Kysely<Tables>,
  event: 'opened' | 'ended',
  incidents: readonly Pick<Written, 'id' | 'severity'>[],
): Promise<void> {
  const alarming = incidents.filter(({ severity }) => severity === 'act_now');
  await sendJobs(
    trx,
    'alarms',
    alarming.map(({ id }) => ({ data: { incidentId: id, event }, key: `${id} ${event}` })),
  );
}

function inTransaction(
  database: Kysely<Tables>,
  work: (trx: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  return database.isTransaction ? work(database) : database.transaction().execute(work);
}

/** Ends the open one of this key, if there is one. */
export async function endIncident(
  database: Kysely<Tables>,
  { kind, subject, symbol = null }: IncidentKey,
  { how, at }: { readonly how: IncidentEnd; readonly at: WallInstant },
): Promise<void> {
  await inTransaction(database, async (trx) => {
    const { rows } = await sql<Pick<Written, 'id' | 'severity'>>`
      update incidents set ended_at = ${wallText(at)}, ended_how = ${how}
      where kind = ${kind} and subject = ${subject} and symbol is not distinct from ${symbol} and ended_at is null
      returning id, severity`.execute(trx);
    await sendAlarms(trx, 'ended', rows);
  });
}

type Scope = {
  /** Null: everywhere. */
  readonly connectionId: BrokerConnectionId | null;
  readonly kinds: readonly IncidentKind[];
};

/** Of `kinds`, exactly the wanted ones are open at this connection afterwards. */
export async function syncIncidents(
  trx: Kysely<Tables>,
  { connectionId, kinds }: Scope,
  wanted: readonly NewIncident[],
  at: WallInstant,
): Promise<void> {
  const { rows } = await sql<{ kind: IncidentKind; subject: string; symbol: Symbol | null }>`
    select kind, subject, symbol from incidents
    where (${connectionId}::uuid is null or connection_id = ${connectionId}) and kind = any(${[...kinds]}::text[])
      and ended_at is null`.execute(trx);
  const { held, ended } = incidentChanges(rows, wanted);
  for (const one of held) await openIncident(trx, { ...one, connectionId }, at);
  for (const one of ended) await endIncident(trx, one, { how: 'cleared', at });
}

/** Marks the ones that have lasted longer than their kind allows as to act on now. */
export async function escalateIncidents(database: Kysely<Tables>, at: WallInstant): Promise<void> {
  const { rows } = await sql<{ id: string; kind: IncidentKind; severity: IncidentSeverity; since: Date }>`
    select id, kind, severity, since from incidents where ended_at is null and severity <> 'act_now'`.execute(
    database,
  );
  for (const { id, kind, severity, since } of rows) {
    const worse = severityAt({ ...incidentRule(kind), severity }, parseWallInstant(since), at);
    if (worse === severity) continue;
    await inTransaction(database, async (trx) => {
      const changed = await sql<Pick<Written, 'id' | 'severity'>>`
        update incidents set severity = ${worse} where id = ${id} and ended_at is null and severity = ${severity}
        returning id, severity`.execute(trx);
      await sendAlarms(trx, 'opened', changed.rows);
    });
  }
}

type OpenKey = IncidentKey & {
  readonly lastSeenAt: Date;
  /** When support last said that its cause is over. */
  readonly lookedAgainAt: Date | null;
};

export async function listOpenOfKinds(
  database: Kysely<Tables>,
  kinds: readonly IncidentKind[],
): Promise<readonly OpenKey[]> {
  const { rows } = await sql<OpenKey>`
    select kind, subject, symbol, last_seen_at as "lastSeenAt",
      (select max(n.noted_at) from incident_notes n where n.incident_id = i.id and n.looks_again) as "lookedAgainAt"
    from incidents i where kind = any(${[...kinds]}::text[]) and ended_at is null`.execute(database);
  return rows;
}

const SEEN_EVERY_SECONDS = 10;

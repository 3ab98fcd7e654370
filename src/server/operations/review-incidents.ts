import type { NewIncident } from '#engine/incidents/incident-changes.ts';
import type { IncidentKind } from '#engine/incidents/incident-kind.ts';
import { listPenalties } from '#records/brokerage/broker-penalties.ts';
import { endObsoleteIncidents } from '#records/incidents/obsolete-incidents.ts';
import { escalateIncidents, syncIncidents } from '#records/incidents/incidents.ts';
import { listRecordedTrouble, RECORDED_KINDS } from '#records/incidents/recorded-trouble.ts';
import { listDeadLetters } from '#records/jobs/dead-letters.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import type { Database } from '#records/postgres/database.ts';
import { readArchive } from '#records/recovery/archive-state.ts';
import { MINUTE_MS } from '#units/instant.ts';
import { msBetween, parseWallInstant, type WallInstant, wallInstantOf } from '#units/wall-instant.ts';
import type { Dependencies } from '../http/dependencies.ts';

/** What no trader can see of itself, and what only the passing of time changes. Every minute, by one worker of the fleet. */
export async function reviewIncidents({
  records,
  now,
}: Pick<Dependencies, 'records' | 'now'>): Promise<void> {
  const { database } = records;
  const at = wallInstantOf(now());
  await reviewTrader(database, at);
  await reviewPenalties(database, at);
  await reviewJobs(database, at);
  await reviewArchive(records, at);
  await sync(database, RECORDED_KINDS, await listRecordedTrouble(database), at);
  await endObsoleteIncidents(database, at);
  await escalateIncidents(database, at);
}

/** A trader that has never run is not missed. */
async function reviewTrader(database: Database, at: WallInstant): Promise<void> {
  const heartbeat = await findHeartbeat(database, 'trader');
  const isSilent = heartbeat !== undefined && msBetween(heartbeat.beatAt, at) >= SILENT_AFTER_MS;
  const since = isSilent ? heartbeat.beatAt : at;
  const wanted = isSilent ? [{ kind: 'trader_silent', subject: 'trader', facts: {}, since } as const] : [];
  await sync(database, ['trader_silent'], wanted, at);
}

async function reviewPenalties(database: Database, at: WallInstant): Promise<void> {
  const wanted = (await listPenalties(database)).map(({ server, until }) => {
    return { kind: 'penalty_box', subject: server, facts: { until: until.toISOString() } } as const;
  });
  await sync(database, ['penalty_box'], wanted, at);
}

async function reviewJobs(database: Database, at: WallInstant): Promise<void> {
  const wanted = (await listDeadLetters(database, DEAD_MAX)).map(({ id, kind, failure, failedAt }) => {
    const since = parseWallInstant(failedAt);
    return { kind: 'job_dead', subject: id, facts: { job: kind, failure }, since } as const;
  });
  await sync(database, ['job_dead'], wanted, at);
}

/** PostgreSQL tries again by itself: the first segment that reaches the archive ends it. */
async function reviewArchive(records: Dependencies['records'], at: WallInstant): Promise<void> {
  const { mode, failed } = await readArchive(records);
  const wanted =
    mode === 'off' || failed === null
      ? []
      : [{ kind: 'archive_failing', subject: 'archive', facts: { segment: failed } } as const];
  await sync(records.database, ['archive_failing'], wanted, at);
}

/** Of these kinds exactly the wanted ones are open afterwards, everywhere. */
async function sync(
  database: Database,
  kinds: readonly IncidentKind[],
  wanted: readonly NewIncident[],
  at: WallInstant,
): Promise<void> {
  await database
    .transaction()
    .execute((trx) => syncIncidents(trx, { connectionId: null, kinds }, wanted, at));
}

const SILENT_AFTER_MS = MINUTE_MS;
const DEAD_MAX = 1_000;

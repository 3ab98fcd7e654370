import type { Health } from '#contract/operations/health.ts';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { countOpenIncidents, type IncidentCount } from '#records/incidents/open-incidents.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import type { IncidentSeverity } from '#engine/incidents/incident-kind.ts';
import { isoText, MINUTE_MS } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { refuse } from '../http/refusal.ts';
import { msBetween, wallInstantOf } from '#units/wall-instant.ts';

/** A trader sends a heartbeat about once a second; later than this, it counts as down. */
const LATE_AFTER_MS = 15_000;

/** Serving needs only the database; a trader or market that is down, or an incident, is reported,
 * but does not fail the check. */
export const getHealth: Call<typeof operationsEndpoints.getHealth> = async (_input, dependencies) => {
  const { records, config, now } = dependencies;
  const askedAt = now();
  const [database, market] = await Promise.all([askDatabase(dependencies), askMarket(dependencies)]);
  if (!database.answers) return refuse('unavailable', 'The database is not responding.');
  const latencyMs = Math.max(0, database.at - askedAt);
  const [heartbeat, counts] = await Promise.all([
    findHeartbeat(records.database, 'trader'),
    countOpenIncidents(records.database),
  ]);
  const incidents = showIncidents(counts);
  const lagMs = heartbeat ? Math.max(0, msBetween(heartbeat.beatAt, wallInstantOf(now()))) : null;
  const trader: Health['trader'] = {
    status: lagMs === null ? 'absent' : lagMs > LATE_AFTER_MS ? 'late' : 'ok',
    lag_ms: lagMs,
  };
  return {
    status: trader.status === 'ok' && market.now !== null && incidents.act_now === 0 ? 'ok' : 'degraded',
    version: config.version,
    database: { status: 'ok', latency_ms: latencyMs },
    trader,
    market,
    incidents,
  };
};

function showIncidents(counts: readonly IncidentCount[]): Health['incidents'] {
  const of = (wanted: IncidentSeverity) =>
    counts.reduce((sum, { severity, count }) => sum + (severity === wanted ? count : 0), 0);
  const oldest = Math.min(...counts.map((one) => one.oldest.getTime()));
  return {
    act_now: of('act_now'),
    today: of('today'),
    watch: of('watch'),
    oldest_since: counts.length === 0 ? null : new Date(oldest).toISOString(),
  };
}

async function askDatabase({ records, now, logger }: Dependencies) {
  try {
    await records.pool.query('select 1');
    return { answers: true, at: now() };
  } catch (error) {
    if (logger !== false) logger.warn({ err: error }, 'the database does not answer');
    return { answers: false, at: now() };
  }
}

async function askMarket({ marketData }: Dependencies): Promise<Health['market']> {
  const clock = await marketData.clock();
  if (!clock.ok) return { now: null, mode: null, day_seconds: null, delay_minutes: null };
  const { now, mode, daySeconds, delayMs = 0 } = clock.value;
  return { now: isoText(now), mode, day_seconds: daySeconds, delay_minutes: delayMs / MINUTE_MS };
}

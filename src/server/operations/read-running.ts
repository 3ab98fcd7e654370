import type { Running } from '#contract/operations/running.ts';
import { INCIDENT_SEVERITIES } from '#engine/incidents/incident-kind.ts';
import type { BrokerSessionState } from '#engine/execution/connection/session-state.ts';
import { countOpenOrders } from '#records/execution/order-counts.ts';
import { countOpenIncidents } from '#records/incidents/open-incidents.ts';
import { readQueueLoads } from '#records/jobs/queue-load.ts';
import { readPulse } from '#records/operations/trader-pulse.ts';
import type { Database } from '#records/postgres/database.ts';
import { QUEUE_TITLES } from '#rules/operations/queue-title.ts';

type Known = {
  /** Of the trader's last heartbeat. */
  readonly details: object;
  readonly connections: ReadonlyMap<BrokerSessionState, number>;
};

/** How the product runs now: the figures that the metrics print. */
export async function readRunning(database: Database, { details, connections }: Known): Promise<Running> {
  const [orders, jobs, incidents] = await Promise.all([
    countOpenOrders(database),
    readQueueLoads(database),
    countOpenIncidents(database),
  ]);
  const pulse = readPulse(details);
  const ofSeverity = (wanted: string) =>
    incidents.reduce((sum, { severity, count }) => sum + (severity === wanted ? count : 0), 0);
  const [act_now, today, watch] = INCIDENT_SEVERITIES.map(ofSeverity);
  return {
    round_seconds: pulse === null ? null : pulse.roundMs / 1_000,
    orders: {
      intended: orders.get('intended') ?? 0,
      sending: orders.get('sending') ?? 0,
      working: orders.get('working') ?? 0,
      unknown: orders.get('unknown') ?? 0,
    },
    jobs: jobs.map(({ queue, waiting, running, oldestAt }) => ({
      queue,
      title: QUEUE_TITLES[queue],
      waiting,
      running,
      oldest_at: oldestAt?.toISOString() ?? null,
    })),
    feeds: pulse?.feeds ? { vendors: [...pulse.feeds.vendors], ...pulse.feeds.prices } : null,
    connections: [...connections].map(([state, count]) => ({ state, count })),
    incidents: { act_now: act_now!, today: today!, watch: watch! },
  };
}

import type { FastifyInstance } from 'fastify';
import { Gauge, Histogram, Registry } from 'prom-client';
import { INCIDENT_SEVERITIES } from '#engine/incidents/incident-kind.ts';
import { SESSION_STATES } from '#engine/execution/connection/session-state.ts';
import { countConnections } from '#records/brokerage/desk-connections.ts';
import { countOpenIncidents } from '#records/incidents/open-incidents.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import type { Dependencies } from '../http/dependencies.ts';

export type Metrics = { write(): Promise<string> };

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Metrics for operators, in the Prometheus text format. Labels use the published routes, so they contain no ids. */
export function measure(
  app: FastifyInstance,
  { records, now }: Dependencies,
  streams: { readonly size: number },
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to complete response',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    requests.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  gauge('database_connections', 'Database connections of this process', () => records.pool.totalCount);
  gauge('database_queries_waiting', 'Queries waiting for a connection', () => records.pool.waitingCount);
  gauge('streams_open', 'Open server-sent event streams', () => streams.size);
  gauge('process_resident_bytes', 'Memory used by this process', () => process.memoryUsage.rss());
  gauge('trader_lag_seconds', 'Seconds since the trader’s last heartbeat; NaN if it never ran', async () => {
    const heartbeat = await findHeartbeat(records.database, 'trader');
    return heartbeat ? Math.max(0, now() - heartbeat.beatAt) / 1000 : Number.NaN;
  });
  measureIncidents(registry, { records, now });
  measureConnections(registry, { records });
  return { write: () => registry.metrics() };
}

/** A kind without an open incident has no sample; the oldest of a severity without one is 0 seconds old. */
function measureIncidents(registry: Registry, { records, now }: Pick<Dependencies, 'records' | 'now'>): void {
  const registers = [registry];
  new Gauge({
    name: 'incidents_open',
    help: 'Open incidents',
    labelNames: ['kind', 'severity'],
    registers,
    async collect() {
      this.reset();
      for (const { kind, severity, count } of await countOpenIncidents(records.database))
        this.set({ kind, severity }, count);
    },
  });
  new Gauge({
    name: 'incident_oldest_seconds',
    help: 'Age of the oldest open incident',
    labelNames: ['severity'],
    registers,
    async collect() {
      const counts = await countOpenIncidents(records.database);
      for (const severity of INCIDENT_SEVERITIES) {
        const ages = counts.flatMap((one) => (one.severity === severity ? now() - one.oldest.getTime() : []));
        this.set({ severity }, Math.max(0, ...ages) / 1000);
      }
    },
  });
}

function measureConnections(registry: Registry, { records }: Pick<Dependencies, 'records'>): void {
  new Gauge({
    name: 'broker_connections',
    help: 'Broker connections with deployments, by the trader’s last reading',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await countConnections(records.database);
      for (const state of SESSION_STATES) this.set({ state }, counts.get(state) ?? 0);
    },
  });
}

import type { FastifyInstance } from 'fastify';
import { Gauge, Histogram, Registry } from 'prom-client';
import { INCIDENT_SEVERITIES } from '#engine/incidents/incident-kind.ts';
import { SESSION_STATES } from '#engine/execution/connection/session-state.ts';
import { countConnections } from '#records/brokerage/desk-connections.ts';
import { countOpenIncidents } from '#records/incidents/open-incidents.ts';
import { asEverybody } from '#records/postgres/row-scope.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { addRows } from './add-rows.ts';
import { measureWork } from './measure-work.ts';
import { msBetween, wallInstantOf } from '#units/wall-instant.ts';

export type Metrics = { write(): Promise<string> };

type Streams = { readonly size: number; measurePushes(onPush: (seconds: number) => void): void };

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Metrics for operators, in the Prometheus text format. Labels use the published routes, so they contain no ids. */
export function measure(app: FastifyInstance, { records, now }: Dependencies, streams: Streams): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to complete response',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    requests.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
    done();
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
    return heartbeat ? Math.max(0, msBetween(heartbeat.beatAt, wallInstantOf(now()))) / 1000 : Number.NaN;
  });
  const pushes = new Histogram({
    name: 'stream_push_duration_seconds',
    help: 'From the booking of a fill until it was written to the streams of its owner',
    buckets: SECONDS,
    registers,
  });
  streams.measurePushes((seconds) => pushes.observe(seconds));
  measureTrouble(registry, { records, now });
  measureWork(registry, records.database, now);
  return { write: () => asEverybody(() => registry.metrics()) };
}

/** What operators are alarmed by, as rows with labels. */
function measureTrouble(registry: Registry, { records, now }: Pick<Dependencies, 'records' | 'now'>): void {
  const { database } = records;
  addRows(registry, 'incidents_open', 'Open incidents', async () =>
    (await countOpenIncidents(database)).map(({ kind, severity, count }) => [{ kind, severity }, count]),
  );
  const oldest = 'Age of the oldest open incident; 0 without one';
  addRows(registry, 'incident_oldest_seconds', oldest, async () => {
    const counts = await countOpenIncidents(database);
    return INCIDENT_SEVERITIES.map((severity) => {
      const ages = counts.flatMap((one) => (one.severity === severity ? now() - one.oldest.getTime() : []));
      return [{ severity }, Math.max(0, ...ages) / 1000];
    });
  });
  const connections = 'Broker connections with deployments, as last read';
  addRows(registry, 'broker_connections', connections, async () => {
    const counts = await countConnections(database);
    return SESSION_STATES.map((state) => [{ state }, counts.get(state) ?? 0]);
  });
}

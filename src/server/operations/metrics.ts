import type { FastifyInstance } from 'fastify';
import { Gauge, Histogram, Registry } from 'prom-client';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { msBetween, wallInstantOf } from '#units/wall-instant.ts';

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
    return heartbeat ? Math.max(0, msBetween(heartbeat.beatAt, wallInstantOf(now()))) / 1000 : Number.NaN;
  });
  return { write: () => registry.metrics() };
}

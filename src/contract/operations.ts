import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { ROUTES } from './route.ts';

export const health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    database: z.object({ status: z.enum(['ok', 'unavailable']), latency_ms: z.number().nullable() }),
    /** lag_ms: real milliseconds since the trader's last heartbeat; null when it never ran. */
    trader: z.object({ status: z.enum(['ok', 'late', 'absent']), lag_ms: z.number().nullable() }),
    /** The market clock; now is null while it is not known. */
    market: z.object({
      now: z.string().nullable(),
      mode: z.string().nullable(),
      /** Real seconds that one calendar day of the market takes. */
      day_seconds: z.number().nullable(),
    }),
  })
  .meta({ id: 'Health' });

export type Health = z.infer<typeof health>;

export const operationsEndpoints = {
  getHealth: endpoint(ROUTES.getHealth, {
    room: 'operations',
    summary: 'Database, trader lag, market clock, version',
    description: 'Serving needs the database alone: a trader or a market that is away is told as degraded.',
    security: 'open',
    status: 200,
    answer: health,
    refusals: [],
  }),
  getReadiness: endpoint(ROUTES.getReadiness, {
    room: 'operations',
    summary: 'Whether this process can serve',
    description: 'For the load balancer: 200 while the database answers.',
    security: 'open',
    status: 200,
    answer: z.object({ ready: z.literal(true) }).meta({ id: 'Readiness' }),
    refusals: [],
  }),
  getMetrics: endpoint(ROUTES.getMetrics, {
    room: 'operations',
    summary: 'Counts and times of this process, in the text format of Prometheus',
    description: 'Counts, durations, pool and stream gauges; no address of a person and no id is in it.',
    security: 'open',
    status: 200,
    answer: z.string(),
    media: 'text/plain',
    refusals: [],
  }),
  getDocs: endpoint(ROUTES.getDocs, {
    room: 'operations',
    summary: 'This documentation as a page',
    description: 'The OpenAPI document for people to read, without a script.',
    security: 'open',
    status: 200,
    answer: z.string(),
    media: 'text/html',
    refusals: [],
    isStatic: true,
  }),
} as const;

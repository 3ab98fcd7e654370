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
    security: 'open',
    status: 200,
    answer: health,
    refusals: [503],
  }),
  getReadiness: endpoint(ROUTES.getReadiness, {
    room: 'operations',
    summary: 'Whether this process can serve',
    security: 'open',
    status: 200,
    answer: z.object({ ready: z.literal(true) }).meta({ id: 'Readiness' }),
    refusals: [503],
  }),
  getMetrics: endpoint(ROUTES.getMetrics, {
    room: 'operations',
    summary: 'Counts and times of this process, in the text format of Prometheus',
    security: 'open',
    status: 200,
    answer: z.string(),
    media: 'text/plain',
    refusals: [503],
  }),
  getDocs: endpoint(ROUTES.getDocs, {
    room: 'operations',
    summary: 'This documentation as a page',
    security: 'open',
    status: 200,
    answer: z.string(),
    media: 'text/html',
    refusals: [],
  }),
} as const;

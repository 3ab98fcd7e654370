import { z } from 'zod';

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
      /** How late prices of shares are by the plan of the feed; 0 where they are of now. */
      delay_minutes: z.number().nullable(),
    }),
    /** Open incidents by severity, and since when the oldest of them is open; null when there is none. */
    incidents: z.object({
      act_now: z.number(),
      today: z.number(),
      watch: z.number(),
      oldest_since: z.string().nullable(),
    }),
  })
  .meta({ id: 'Health' });

export type Health = z.infer<typeof health>;

import { z } from 'zod';
import { SESSION_STATES } from '#engine/execution/connection/session-state.ts';

/** How the product runs now, whether anything is wrong or not. */
export const running = z
  .object({
    /** Real seconds that the trader's last round took: so far its decisions may lag. Null before the first. */
    round_seconds: z.number().nullable(),
    /** Orders that have not ended: waiting to be sent, on their way, at the broker, and of unknown fate. */
    orders: z.object({
      intended: z.number(),
      sending: z.number(),
      working: z.number(),
      unknown: z.number(),
    }),
    /** Background jobs by queue; oldest_at: since when (real time) the oldest that waits could have begun. */
    jobs: z.array(
      z.object({
        queue: z.string(),
        /** In words. */
        title: z.string(),
        waiting: z.number(),
        running: z.number(),
        oldest_at: z.string().nullable(),
      }),
    ),
    /** Instruments by what became of their newest price, at the trader's last round; null where no market answered. */
    feeds: z
      .object({
        /** The vendors, the one that counts first; none where the market is simulated or played again. */
        vendors: z.array(z.string()),
        accepted: z.number(),
        missing: z.number(),
        refused: z.number(),
        doubted: z.number(),
        /** Trading is halted in them, whatever their price. */
        halted: z.number(),
      })
      .nullable(),
    /** Broker connections with deployments, by state. */
    connections: z.array(z.object({ state: z.enum(SESSION_STATES), count: z.number() })),
    /** Open incidents by severity. */
    incidents: z.object({ act_now: z.number(), today: z.number(), watch: z.number() }),
  })
  .meta({ id: 'Running' });

export type Running = z.infer<typeof running>;

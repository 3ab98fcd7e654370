import { z } from 'zod';
import { SESSION_STATES } from '#engine/execution/connection/session-state.ts';

export const deskConnection = z
  .object({
    id: z.string(),
    account: z.string().nullable(),
    broker_name: z.string(),
    client: z.string(),
    state: z.enum(SESSION_STATES),
    /** The state in words. */
    title: z.string(),
    /** Real time. */
    since: z.string(),
    /** What the broker or our adapter reported; null where there is nothing. */
    quote: z.string().nullable(),
    /** Expected end of a reset or a block. */
    until: z.string().nullable(),
    /** Real time at which orders, fills and positions were last all read; null when they never were. */
    reconciled_at: z.string().nullable(),
    deployments: z.number(),
    /** Dollars of these deployments. */
    equity: z.number(),
  })
  .meta({ id: 'DeskConnection' });

export type DeskConnection = z.infer<typeof deskConnection>;

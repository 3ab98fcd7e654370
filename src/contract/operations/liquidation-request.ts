import { z } from 'zod';
import { DEPLOYMENT_STATUSES } from '#engine/lifecycle/status.ts';
import { reason } from './adjustments.ts';

export const liquidationRequest = z
  .object({
    id: z.string(),
    deployment: z.string(),
    client: z.string(),
    strategy_name: z.string(),
    status: z.enum(DEPLOYMENT_STATUSES),
    /** Dollars. */
    equity: z.number(),
    /** Market time. */
    requested_at: z.string(),
    /** Real time, by which the client was told that support decides. */
    decide_by: z.string(),
    /** Why it cannot be approved now; null when it can. */
    refusal: z.string().nullable(),
  })
  .meta({ id: 'LiquidationRequest' });

export type LiquidationRequest = z.infer<typeof liquidationRequest>;

export const declineLiquidationBody = z.object({ reason }).meta({ id: 'DeclineLiquidationRequest' });

export const declinedLiquidation = z
  .object({ id: z.string(), reason: z.string(), decided_at: z.string() })
  .meta({ id: 'DeclinedLiquidation' });

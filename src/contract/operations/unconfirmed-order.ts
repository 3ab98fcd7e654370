import { z } from 'zod';
import { SESSION_STATES } from '#engine/execution/connection/session-state.ts';

export const unconfirmedOrder = z
  .object({
    id: z.string(),
    client_order_id: z.string(),
    deployment: z.string(),
    client: z.string(),
    strategy_name: z.string(),
    broker_name: z.string(),
    account: z.string(),
    symbol: z.string(),
    side: z.enum(['buy', 'sell']),
    purpose: z.enum(['rebalance', 'stop_loss', 'liquidation', 'margin_call', 'protective']),
    quantity: z.number(),
    filled: z.number(),
    limit_price: z.number(),
    currency: z.string().nullable(),
    /** Market time at which it was sent. */
    sent_at: z.string().nullable(),
    /** Real time since which its fate is unknown. */
    unknown_since: z.string().nullable(),
    /** What the broker said, or the known facts instead. */
    broker_message: z.string(),
    /** Null while the broker has returned none. */
    broker_order_id: z.string().nullable(),
    /** The connection as it is now; null before the first look. */
    session: z.enum(SESSION_STATES).nullable(),
    /** Executions that the broker reported without an order id and that may belong to it. */
    held_executions: z.number(),
    /** A decision that the trader has not carried out yet. */
    decision: z
      .object({
        verdict: z.enum(['arrived', 'never_arrived']),
        broker_order_id: z.string().nullable(),
        reason: z.string(),
        by: z.string(),
        at: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'UnconfirmedOrder' });

export type UnconfirmedOrder = z.infer<typeof unconfirmedOrder>;

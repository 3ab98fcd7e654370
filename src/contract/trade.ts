import { z } from 'zod';

/** An order with its fills. */
export const trade = z
  .object({
    id: z.string(),
    /** When the order was placed. */
    created_at: z.string(),
    /** When it was last filled; null without a fill. */
    executed_at: z.string().nullable(),
    trade_type: z.enum(['buy', 'sell']),
    ticker: z.string(),
    /** Filled. */
    quantity: z.number(),
    requested_quantity: z.number(),
    /** Average fill price; null when nothing was filled. */
    price: z.number().nullable(),
    /** The filled value in dollars. */
    total_amount: z.number(),
    /** Negative for a rebate. */
    commission: z.number(),
    /** The broker has not stated its commission yet. */
    commission_is_estimate: z.boolean(),
    /** executed: completely filled. partial: ended or working with a partial fill. pending: at the broker or in flight. */
    status: z.enum(['executed', 'partial', 'pending', 'cancelled', 'failed', 'unknown']),
    realized_pnl: z.number(),
    /**
     * An adjustment of the books, approved by two people of support, not an order. trade_notes says what is booked now,
     * and why.
     */
    is_adjustment: z.boolean(),
    /** Names the receipt of the decision that it follows; null for a stop loss, another exit or an adjustment. */
    decision: z.string().nullable(),
    trade_notes: z.string(),
  })
  .meta({ id: 'Trade' });

export type Trade = z.infer<typeof trade>;

import { z } from 'zod';
import { CASH_CAUSES } from '#engine/cash/cash-decision.ts';
import { PROPOSAL_ACTIONS } from '#rules/operations/proposal-action.ts';

export const proposal = z
  .object({
    id: z.string(),
    /**
     * ignore_row: the row is not ours. state_commission: the figure of the broker's confirmation. acknowledge: the position
     * may stay without its stop until a date. release: the quarantine of a deployment ends. rebuild_books: its stored figures
     * become what its executions make of them. explain_cash: what moved unexplained cash. lift_halt, cancel_orders: of a kill switch. liquidate: what a client asked for. resolve_order: the fate
     * of an unconfirmed order. publish, retire: a strategy. require_signature: the newest version of the agreement must be signed by a day.
     * hide_figures, show_figures: hypothetical figures, for an audience.
     * close_unpaid: all that a client who does not pay runs is paused. refund: a payment is given back.
     */
    action: z.enum(PROPOSAL_ACTIONS),
    /** Null where it is about no account. */
    account: z.string().nullable(),
    /** The id of what it is about, or its name on the desk. */
    subject: z.string(),
    /** A commission or refund in dollars, or signed cash in the currency of its account; null where it is about none of them. */
    amount: z.number().nullable(),
    /** Of explain_cash. */
    cause: z.enum(CASH_CAUSES).nullable(),
    /** Real time, of acknowledge and require_signature. Of retire: the day after whose close its deployments end. */
    until: z.string().nullable(),
    /** Of resolve_order; null: the order never became one at the broker. */
    broker_order_id: z.string().nullable(),
    reason: z.string(),
    proposed_by: z.string(),
    /** Whether the caller proposed it: then another person approves it. */
    is_own: z.boolean(),
    /** Real time. */
    proposed_at: z.string(),
    /** void: what it was about has changed. over: it is carried out, or has ended. */
    status: z.enum(['open', 'approved', 'declined', 'void', 'over']),
    decided_at: z.string().nullable(),
    /** Why it was declined, or what the person who approved publishing looked at: the end of a sentence. */
    outcome: z.string().nullable(),
  })
  .meta({ id: 'Proposal' });

export type Proposal = z.infer<typeof proposal>;

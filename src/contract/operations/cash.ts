import { z } from 'zod';
import { CASH_CAUSES } from '#engine/cash/cash-decision.ts';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';
import { FOR_STAFF, reason } from './adjustments.ts';

const cashProposal = z
  .object({
    id: z.string(),
    /** Signed, in the currency of its account. */
    amount: z.number(),
    cause: z.enum(CASH_CAUSES),
    reason: z.string(),
    proposed_by: z.string(),
    /** Whether the caller proposed it: then another person approves it. */
    is_own: z.boolean(),
    /** Real time. */
    proposed_at: z.string(),
    /** void: the unexplained amount has changed since. */
    status: z.enum(['open', 'approved', 'declined', 'void']),
    decided_at: z.string().nullable(),
    /** Why it was declined, as the end of a sentence. */
    outcome: z.string().nullable(),
  })
  .meta({ id: 'CashProposal' });

export type CashProposal = z.infer<typeof cashProposal>;

export const cashDifference = z
  .object({
    id: z.string(),
    account: z.string(),
    broker_name: z.string(),
    /** E-mails of those who trade this account. */
    clients: z.array(z.string()),
    /** The account's base currency, ISO 4217. */
    currency: z.string(),
    /** Signed: what the account has beyond everything that is known to have moved. */
    amount: z.number(),
    /** The session whose statement first showed it. */
    date: z.string(),
    /** Real time. */
    since: z.string(),
    /** Null without an open one. */
    proposal: cashProposal.nullable(),
  })
  .meta({ id: 'CashDifference' });

export type CashDifference = z.infer<typeof cashDifference>;

const proposeBody = z
  .object({
    difference: z.string('Name a cash difference').min(1).max(100),
    cause: z.enum(CASH_CAUSES, 'Choose what moved the cash'),
    reason,
  })
  .meta({ id: 'ProposeCashRequest' });

const decideBody = z
  .discriminatedUnion('decision', [
    z.object({ decision: z.literal('approve') }),
    z.object({ decision: z.literal('decline'), reason }),
  ])
  .meta({ id: 'DecideCashRequest' });

export const cashEndpoints = {
  proposeCash: endpoint(ROUTES.proposeCash, {
    room: 'operations',
    summary: 'Propose what moved the unexplained cash of an account',
    description: `As a movement of the owner's: no deployment's books change. Nothing is booked until a second member of support approves. ${FOR_STAFF}`,
    security: 'bearer',
    body: proposeBody,
    status: 201,
    answer: cashProposal,
    refusals: ['not_found', 'already_decided', 'already_exists'],
    idempotent: true,
  }),
  decideCash: endpoint(ROUTES.decideCash, {
    room: 'operations',
    summary: 'Approve or decline a proposed cash movement',
    description: `Approved by a second person, it is booked at once and the difference ends. If the amount has changed, it becomes void. Its proposer may withdraw it. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    body: decideBody,
    status: 200,
    answer: cashProposal,
    refusals: ['not_found', 'forbidden', 'already_decided'],
    idempotent: true,
  }),
} as const;

import { z } from 'zod';
import { BOOK_FIGURES } from '#engine/portfolio/book-differences.ts';
import { UNREAD_LISTS, UNREAD_REASONS } from '#engine/execution/reconciliation/unread-rows.ts';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';
import { FOR_STAFF, reason } from './adjustments.ts';

const incidentProposal = z
  .object({
    id: z.string(),
    /**
     * ignore_row: the row is not ours. state_commission: the figure of the broker's confirmation. acknowledge: the position
     * may stay without its stop until a date. release: the quarantine of a deployment ends. rebuild_books: the stored figures of
     * a deployment become what its executions make of them.
     */
    action: z.enum(['ignore_row', 'state_commission', 'acknowledge', 'release', 'rebuild_books']),
    account: z.string(),
    subject: z.string(),
    /** Dollars; null where it is about no commission. */
    commission: z.number().nullable(),
    /** Real time; null where it is no acknowledgement. */
    until: z.string().nullable(),
    reason: z.string(),
    proposed_by: z.string(),
    /** Whether the caller proposed it: then another person approves it. */
    is_own: z.boolean(),
    /** Real time. */
    proposed_at: z.string(),
    /** void: what it was about has changed. over: it is carried out, or has ended. */
    status: z.enum(['open', 'approved', 'declined', 'void', 'over']),
    decided_at: z.string().nullable(),
    /** Why it was declined, as the end of a sentence. */
    outcome: z.string().nullable(),
  })
  .meta({ id: 'IncidentProposal' });

export type IncidentProposal = z.infer<typeof incidentProposal>;

/** What a proposal names: its account, its subject there, and the state of it that staff looked at. */
const subject = {
  account: z.string(),
  subject: z.string(),
  seen: z.string(),
  broker_name: z.string(),
  /** Open, or agreed and not over; null without one about its present state. */
  proposal: incidentProposal.nullable(),
};

export const unreadRow = z
  .object({
    ...subject,
    /** E-mails of those who trade this account. */
    clients: z.array(z.string()),
    list: z.enum(UNREAD_LISTS),
    /** The first part that cannot be read. */
    part: z.enum(UNREAD_REASONS),
    /** As the broker sent it: JSON, possibly cut. */
    raw: z.string(),
    /**
     * unsure: it may be ours, and its instruments wait. kept: it stops nothing, and a person must say what it is. foreign: of
     * an instrument that no deployment can hold. ignored: two people have set it aside.
     */
    effect: z.enum(['unsure', 'kept', 'foreign', 'ignored']),
    /** Instruments that wait for it. */
    symbols: z.array(z.string()),
    /** Real time. */
    since: z.string(),
    /** Why it may not be set aside as not ours; null when it may. */
    refusal: z.string().nullable(),
  })
  .meta({ id: 'UnreadRow' });

export type UnreadRow = z.infer<typeof unreadRow>;

export const missingCommission = z
  .object({
    ...subject,
    deployment: z.string(),
    client: z.string(),
    strategy_name: z.string(),
    symbol: z.string(),
    side: z.enum(['buy', 'sell']),
    quantity: z.number(),
    /** In the currency of the instrument. */
    price: z.number(),
    /** Dollars: our estimate, as booked. */
    estimate: z.number(),
    /** Market time. */
    executed_at: z.string(),
  })
  .meta({ id: 'MissingCommission' });

export type MissingCommission = z.infer<typeof missingCommission>;

export const unprotectedPosition = z
  .object({
    ...subject,
    deployment: z.string(),
    client: z.string(),
    strategy_name: z.string(),
    symbol: z.string(),
    /** Signed. */
    quantity: z.number(),
    /** Why it has no stop, as a sentence. */
    cause: z.string(),
    /** Stops refused one after the other, or how often the last one could not be sent. */
    refusals: z.number(),
    /** Why another try cannot be asked for; null when it can. */
    retry_refusal: z.string().nullable(),
  })
  .meta({ id: 'UnprotectedPosition' });

export type UnprotectedPosition = z.infer<typeof unprotectedPosition>;

export const quarantinedDeployment = z
  .object({
    ...subject,
    client: z.string(),
    strategy_name: z.string(),
    /** What kept failing, as a sentence. */
    cause: z.string(),
    /** What a release leads to. */
    released_as: z.enum(['paused', 'frozen', 'closing']),
    /** Dollars. */
    equity: z.number(),
    positions: z.number(),
  })
  .meta({ id: 'QuarantinedDeployment' });

export type QuarantinedDeployment = z.infer<typeof quarantinedDeployment>;

export const differingBooks = z
  .object({
    ...subject,
    client: z.string(),
    strategy_name: z.string(),
    differences: z.array(
      z.object({
        /** Money in dollars, cost in the currency of the instrument, quantity in units, signed. */
        figure: z.enum(BOOK_FIGURES),
        /** Of quantity and cost. */
        symbol: z.string().nullable(),
        /** As it is kept; null where there is no position. */
        stored: z.number().nullable(),
        /** As everything that was booked makes it. */
        replayed: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'DifferingBooks' });

export type DifferingBooks = z.infer<typeof differingBooks>;

const DOLLARS_MAX = 1_000_000;

/** As the desk shows them. */
const named = {
  account: z.string().min(1).max(100),
  subject: z.string().min(1).max(400),
  seen: z.string().min(1).max(10_000),
  reason,
};

const proposeBody = z
  .discriminatedUnion(
    'action',
    [
      z.object({ action: z.literal('ignore_row'), ...named }),
      z.object({ action: z.literal('release'), ...named }),
      z.object({ action: z.literal('rebuild_books'), ...named }),
      z.object({
        action: z.literal('state_commission'),
        ...named,
        commission: z
          .number('Enter an amount in dollars')
          .min(-DOLLARS_MAX, 'The amount is too high')
          .max(DOLLARS_MAX, 'The amount is too high'),
      }),
      z.object({ action: z.literal('acknowledge'), ...named, until: z.iso.date('Enter a date') }),
    ],
    'Choose what to propose',
  )
  .meta({ id: 'ProposeForIncidentRequest' });

const decideBody = z
  .discriminatedUnion('decision', [
    z.object({ decision: z.literal('approve') }),
    z.object({ decision: z.literal('decline'), reason }),
  ])
  .meta({ id: 'DecideForIncidentRequest' });

const retryBody = z.object(named).meta({ id: 'RetryStopRequest' });

export const incidentProposalEndpoints = {
  proposeForIncident: endpoint(ROUTES.proposeForIncident, {
    room: 'operations',
    summary:
      'Propose to ignore a row, to book a commission, to acknowledge a position without its stop, to release a deployment, or to rebuild its books',
    description: `account, subject and seen are those of the desk: seen names the state that you looked at, and a later one is refused. Nothing changes until a second member of support approves. until is a date: the acknowledgement ends as it begins, in UTC. ${FOR_STAFF}`,
    security: 'bearer',
    body: proposeBody,
    status: 201,
    answer: incidentProposal,
    refusals: ['not_found', 'already_decided', 'already_exists', 'in_use', 'out_of_range'],
    idempotent: true,
  }),
  decideForIncident: endpoint(ROUTES.decideForIncident, {
    room: 'operations',
    summary: 'Approve or decline a proposal about an incident',
    description: `Approved by a second person, the trader carries it out at its next look. If what it is about has changed, it becomes void. Its proposer may withdraw it. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    body: decideBody,
    status: 200,
    answer: incidentProposal,
    refusals: ['not_found', 'forbidden', 'already_decided', 'in_use', 'out_of_range'],
    idempotent: true,
  }),
  retryStop: endpoint(ROUTES.retryStop, {
    room: 'operations',
    summary: 'Try a refused protective stop again now',
    description: `Ends the wait after the latest refusal, once; the stop leaves at the next look while its exchange is open. Repeating it changes nothing. ${FOR_STAFF}`,
    security: 'bearer',
    body: retryBody,
    status: 204,
    answer: z.void(),
    refusals: ['not_found', 'already_decided', 'in_use'],
  }),
} as const;

import { z } from 'zod';
import { BOOK_FIGURES } from '#engine/portfolio/book-differences.ts';
import { UNREAD_LISTS, UNREAD_REASONS } from '#engine/execution/reconciliation/unread-rows.ts';
import { endpoint } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';
import { FOR_STAFF, reason } from './adjustments.ts';
import { proposal } from './proposal.ts';

/** What a proposal names: its account, its subject there, and the state of it that staff looked at. */
const subject = {
  account: z.string(),
  subject: z.string(),
  seen: z.string(),
  broker_name: z.string(),
  /** Open, or agreed and not over; null without one about its present state. */
  proposal: proposal.nullable(),
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

/** As the desk shows them. */
export const named = {
  account: z.string().min(1).max(100),
  subject: z.string().min(1).max(400),
  seen: z.string().min(1).max(10_000),
  reason,
};

const retryBody = z.object(named).meta({ id: 'RetryStopRequest' });

export const incidentSubjectEndpoints = {
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

import { z } from 'zod';
import { UNPAID_STAGES } from '#rules/fees/unpaid-fee.ts';
import { endpoint } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';
import { FOR_STAFF } from './adjustments.ts';

/** A client with overdue fee bills that they pay themselves. */
export const unpaidClient = z
  .object({
    /** Of the client: what close_unpaid is about. */
    id: z.string(),
    client: z.string(),
    bills: z.number().int(),
    /** Dollars. */
    owed: z.number(),
    /** Market time, of the oldest bill. */
    due_at: z.string(),
    stage: z.enum(UNPAID_STAGES),
    /** Deployments of real money that trade, or are about to. */
    running: z.number().int(),
    /** Why the account cannot be closed now; null when it can. */
    refusal: z.string().nullable(),
  })
  .meta({ id: 'UnpaidClient' });

export type UnpaidClient = z.infer<typeof unpaidClient>;

/** A payment of a client, as support gives it back. */
export const clientPayment = z
  .object({
    /** What refund is about. */
    id: z.string(),
    client: z.string(),
    purpose: z.enum(['plan', 'fee']),
    /** Dollars. */
    paid: z.number(),
    /** Given back, or agreed to be. */
    refunded: z.number(),
    /** Taken back by the bank of the client, because a dispute was lost. */
    charged_back: z.number(),
    vendor: z.string(),
    paid_at: z.string(),
    /** The client has asked their bank to take it back. */
    is_disputed: z.boolean(),
  })
  .meta({ id: 'ClientPayment' });

export type ClientPayment = z.infer<typeof clientPayment>;

export const clientPaymentEndpoints = {
  listClientPayments: endpoint(ROUTES.listClientPayments, {
    room: 'operations',
    summary: 'The payments of a client, newest first',
    description: `Of plans and performance fees. Empty for an e-mail that nobody has. ${FOR_STAFF}`,
    security: 'bearer',
    query: z.object({
      client: z.string().trim().toLowerCase().min(3).max(254).describe('The e-mail of the client.'),
    }),
    status: 200,
    answer: z.array(clientPayment),
    refusals: ['not_found'],
  }),
} as const;

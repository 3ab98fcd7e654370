import { z } from 'zod';
import { DEPLOYMENT_STATUSES } from '#engine/lifecycle/status.ts';
import { brokerConnection } from '../brokerage.ts';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';
import { FOR_STAFF } from './adjustments.ts';
import { cashDifference } from './cash.ts';

const foundClient = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    /** What of theirs is exactly what was sought. */
    found_by: z.enum(['mail', 'account', 'order']),
  })
  .meta({ id: 'FoundClient' });

export type FoundClient = z.infer<typeof foundClient>;

const clientDeployment = z
  .object({
    id: z.string(),
    strategy_name: z.string(),
    mode: z.enum(['practice', 'real']),
    status: z.enum(DEPLOYMENT_STATUSES),
    account: z.string().nullable(),
    /** Dollars, like the next three. */
    investment: z.number(),
    cash: z.number(),
    equity: z.number(),
    /** Realised, after costs. */
    realized: z.number(),
    /** Market time, like the next. */
    deployed_at: z.string(),
    ended_at: z.string().nullable(),
  })
  .meta({ id: 'ClientDeployment' });

export type ClientDeployment = z.infer<typeof clientDeployment>;

const clientConnection = brokerConnection
  .extend({
    /** The whole account number; null until one is connected. */
    account: z.string().nullable(),
  })
  .meta({ id: 'ClientConnection' });

export type ClientConnection = z.infer<typeof clientConnection>;

const clientWait = z
  .object({
    /** The list of the desk where it is decided. */
    queue: z.enum(['incident', 'unconfirmed_order', 'difference', 'cash_difference', 'liquidation']),
    id: z.string(),
    /** What waits, in a few words. */
    about: z.string(),
    since: z.string(),
    /** By which clock since is: a request of a client is by the market's. */
    clock: z.enum(['real', 'market']),
  })
  .meta({ id: 'ClientWait' });

export type ClientWait = z.infer<typeof clientWait>;

const clientNote = z
  .object({ id: z.string(), note: z.string(), by: z.string(), at: z.string() })
  .meta({ id: 'ClientNote' });

export type ClientNote = z.infer<typeof clientNote>;

const clientEvent = z
  .object({
    kind: z.enum(['sign_in', 'notice', 'agreement', 'connected', 'halted', 'halt_lifted', 'viewed']),
    title: z.string(),
    message: z.string().nullable(),
    /** Real time. */
    at: z.string(),
    /** Of a notice: when it happened by the market's clock. */
    market_at: z.string().nullable(),
    /** Of a sign-in: what the browser says of itself, and its address. */
    device: z.string().nullable(),
    address: z.string().nullable(),
  })
  .meta({ id: 'ClientEvent' });

export type ClientEvent = z.infer<typeof clientEvent>;

const client = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    country: z.string().nullable(),
    is_email_verified: z.boolean(),
    is_disabled: z.boolean(),
    has_second_factor: z.boolean(),
    is_agreement_signed: z.boolean(),
    risk_tolerance: z.string().nullable(),
    /** Null before the first choice. */
    plan: z.string().nullable(),
    created_at: z.string(),
    connections: z.array(clientConnection),
    /** Those that go on first, then the newest; a hundred at most. */
    deployments: z.array(clientDeployment),
    cash_differences: z.array(cashDifference),
    /** What the desk has about them, the longest waiting first. */
    waiting: z.array(clientWait),
    /** The newest first, like the timeline; a hundred at most of each. */
    notes: z.array(clientNote),
    timeline: z.array(clientEvent),
    /** Real time of this reading. */
    as_of: z.string(),
    market_at: z.string().nullable(),
  })
  .meta({ id: 'Client' });

export type Client = z.infer<typeof client>;

export const clientEndpoints = {
  findClients: endpoint(ROUTES.findClients, {
    room: 'operations',
    summary: 'Find a client by mail, account number or order',
    description: `Exactly: nobody leafs through clients. An order has our id, the one that the broker got, and the broker's. Each client found is written in the audit log. ${FOR_STAFF}`,
    security: 'bearer',
    body: z
      .object({
        sought: z
          .string('Enter a mail, an account number or an order id')
          .trim()
          .min(3, 'Enter a mail, an account number or an order id')
          .max(254, 'This is longer than any mail, account number or order id'),
      })
      .meta({ id: 'FindClientsRequest' }),
    status: 200,
    answer: z.object({ results: z.array(foundClient) }).meta({ id: 'FoundClients' }),
    refusals: ['not_found'],
  }),
  getClient: endpoint(ROUTES.getClient, {
    room: 'operations',
    summary: 'A client on one page: books, connections, what waits, notes and what happened',
    description: `Each reading is written in the audit log. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: client,
    refusals: ['not_found'],
  }),
  endClientSessions: endpoint(ROUTES.endClientSessions, {
    room: 'operations',
    summary: 'Sign a client out everywhere',
    description: `For somebody whose device or password is in other hands. They sign in again as before, and see who it was among their security activity and in the audit log. ${FOR_STAFF}`,
    security: 'bearer',
    confirms: 'always',
    params: idParams,
    status: 204,
    answer: z.void(),
    refusals: ['not_found'],
  }),
  noteClient: endpoint(ROUTES.noteClient, {
    room: 'operations',
    summary: 'Write a note about a client',
    description: `Kept with its author and time; nobody changes it. The client does not see it here, and gets it with all data about them on request. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    body: z
      .object({
        note: z
          .string('Write the note')
          .trim()
          .min(3, 'Write in a few words what the next person should know')
          .max(2_000, 'A note has 2,000 characters at most'),
      })
      .meta({ id: 'NoteClientRequest' }),
    status: 201,
    answer: clientNote,
    refusals: ['not_found'],
    idempotent: true,
  }),
} as const;

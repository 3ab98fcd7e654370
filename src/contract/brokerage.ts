import { z } from 'zod';
import { CASH_LINES } from '#engine/cash/cash-statement.ts';
import { SESSION_STATES } from '#engine/execution/connection/session-state.ts';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

export const broker = z
  .object({
    id: z.string(),
    name: z.string(),
    logo: z.string(),
    description: z.string(),
    broker_type: z.string(),
    supported_assets: z.array(z.string()),
    /** Only an available broker has a working connect form. not_set_up: the product trades there, and this installation does not. */
    status: z.enum(['available', 'not_set_up', 'coming_soon']),
    /** Whoever links accounts to clients, who then have nothing to sign in to; null where each signs in at the broker. */
    linked_by: z.enum(['staff', 'operator']).nullable(),
  })
  .meta({ id: 'Broker' });

export type Broker = z.infer<typeof broker>;

/** The connection to the broker as it is now: its effect on the money, and what to do. */
export const brokerSession = z
  .object({
    state: z.enum(SESSION_STATES),
    title: z.string(),
    /** Its effect on trading and on positions, as sentences. */
    meaning: z.string(),
    /** What the person can do; null when they can only wait. */
    next_step: z.string().nullable(),
    /** Null when that is not known. */
    since: z.string().nullable(),
    /** When a reset should be over, on the market's clock; null in the other states. */
    until: z.string().nullable(),
    /** When orders, executions and positions were last all read and booked; null if never. */
    reconciled_at: z.string().nullable(),
  })
  .meta({ id: 'BrokerSession' });

export type BrokerSession = z.infer<typeof brokerSession>;

const connectionStatus = z.enum(['pending', 'choose_account', 'active', 'failed', 'revoked']);

const accountChoice = z
  .object({
    /** Names the account when choosing it. */
    key: z.string(),
    /** The last four characters of the account number, the others masked. */
    account_id: z.string(),
    title: z.string(),
    currency: z.string(),
    is_paper: z.boolean(),
    /** Why it cannot be chosen, as a sentence; null when it can. */
    refusal: z.string().nullable(),
  })
  .meta({ id: 'BrokerAccountChoice' });

export type BrokerAccountChoice = z.infer<typeof accountChoice>;

export const brokerConnection = z
  .object({
    id: z.string(),
    /** The same as id. */
    broker_connection_id: z.string(),
    /** The broker's id. */
    broker: z.string(),
    broker_name: z.string(),
    connection_status: connectionStatus,
    /** The last four characters of the account number, the others masked; null until connected. */
    account_id: z.string().nullable(),
    is_primary: z.boolean(),
    /** Whether it trades practice money; null until connected, and where the broker does not say. */
    is_paper: z.boolean().nullable(),
    /**
     * Whether orders are sent without a subscription to the broker's market data, as the client chose. Null at a broker that
     * never asks for one.
     */
    trades_without_market_data: z.boolean().nullable(),
    /** The accounts to choose from while connection_status is choose_account; null in every other state. */
    accounts: z.array(accountChoice).nullable(),
    /** Why it failed, as a sentence. */
    failure_reason: z.string().nullable(),
    created_at: z.string(),
    connected_at: z.string().nullable(),
    /** Null until trading has read it, and for a connection that no deployment trades over. */
    session: brokerSession.nullable(),
  })
  .meta({ id: 'BrokerConnection' });

export type BrokerConnection = z.infer<typeof brokerConnection>;

/** Returned once, when the connection begins: the address for the new window. */
const begunConnection = brokerConnection
  .extend({ authorize_url: z.string() })
  .meta({ id: 'BegunBrokerConnection' });

/** Credentials never come from the browser: these are placeholders, accepted and ignored. */
const placeholder = z.string().max(2000).nullish();
const createConnectionBody = z
  .object({
    broker: z.string('Choose a broker').min(1, 'Choose a broker').max(100),
    account_id: placeholder,
    api_key: placeholder,
    api_secret: placeholder,
    auth_token: placeholder,
    refresh_token: placeholder,
    connection_data: z.unknown().optional(),
    is_primary: z.boolean().optional(),
  })
  .meta({ id: 'CreateBrokerConnectionRequest' });

const connectionAttempt = z
  .object({
    connection_status: z.enum(['none', ...connectionStatus.options]),
    broker_connection_id: z.string().nullable(),
    failure_reason: z.string().nullable(),
  })
  .meta({ id: 'ConnectionAttempt' });

const cashStatement = z
  .object({
    /** The session of the American exchanges that it is for. */
    date: z.string(),
    /** Of all amounts: the account's base currency, ISO 4217. */
    currency: z.string(),
    opening: z.number(),
    /** What moved, by kind; only what is not zero. They and unexplained lead from opening to closing. */
    lines: z.array(z.object({ line: z.enum(CASH_LINES), amount: z.number() })),
    unexplained: z.number(),
    /** As the broker showed it. */
    closing: z.number(),
    /** Market time of the reading. */
    taken_at: z.string(),
    /** Until then it is taken again: something that may explain the cash is under way. */
    is_final: z.boolean(),
  })
  .meta({ id: 'CashStatement' });

export type CashStatement = z.infer<typeof cashStatement>;

export const brokerageEndpoints = {
  listBrokers: endpoint(ROUTES.listBrokers, {
    room: 'brokerage',
    summary: 'Brokers, the integrated one first',
    description: 'Each with its assets and whether it is available or coming soon.',
    security: 'open',
    status: 200,
    answer: z.array(broker),
    refusals: [],
  }),
  getBroker: endpoint(ROUTES.getBroker, {
    room: 'brokerage',
    summary: 'One broker',
    description: 'One broker with its assets and whether it can be connected.',
    security: 'open',
    params: idParams,
    status: 200,
    answer: broker,
    refusals: ['not_found'],
  }),
  listBrokerConnections: endpoint(ROUTES.listBrokerConnections, {
    room: 'brokerage',
    summary: "The caller's connections, newest first",
    description: 'Attempts and connections with their status and, if one failed, the reason.',
    security: 'bearer',
    status: 200,
    answer: z.array(brokerConnection),
    refusals: [],
  }),
  createBrokerConnection: endpoint(ROUTES.createBrokerConnection, {
    confirms: 'second factor',
    room: 'brokerage',
    summary: 'Start connecting a broker account; open authorize_url in a new window',
    description:
      "Returns the address of the broker's own sign-in. Open it in the same browser within ten minutes. Credentials are never requested here; fields for them are accepted and ignored.",
    security: 'bearer',
    body: createConnectionBody,
    status: 201,
    answer: begunConnection,
    refusals: ['broker_not_integrated', 'broker_unavailable'],
  }),
  getMyBrokerConnection: endpoint(ROUTES.getMyBrokerConnection, {
    room: 'brokerage',
    summary: "The caller's newest connection, optionally at the broker with this display name",
    description: 'An active connection comes before newer inactive attempts.',
    security: 'bearer',
    query: z.object({
      broker: z.string().max(100).optional().describe('The display name of a broker.'),
      broker_name: z.string().max(100).optional().describe('Same as broker.'),
    }),
    status: 200,
    answer: brokerConnection,
    refusals: ['not_found'],
  }),
  completeBrokerConnection: endpoint(ROUTES.completeBrokerConnection, {
    room: 'brokerage',
    summary: "Return address of the broker's sign-in; a small page that closes itself",
    description:
      "Not for programs: the broker's sign-in redirects the browser here. The state works once, in the browser that started. Success and refusal are both pages.",
    security: 'open',
    query: z.looseObject({
      state: z.string().max(200).optional().describe('The secret of this return address; works once.'),
    }),
    status: 200,
    answer: z.string(),
    media: 'text/html',
    refusals: ['invalid_token'],
    refusesWithPage: true,
  }),
  getBrokerConnection: endpoint(ROUTES.getBrokerConnection, {
    room: 'brokerage',
    summary: 'One connection and its status',
    description: "Poll its status while the broker's window is open.",
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: brokerConnection,
    refusals: ['not_found'],
  }),
  changeBrokerConnection: endpoint(ROUTES.changeBrokerConnection, {
    room: 'brokerage',
    summary: 'Change a connection: the primary flag and the choice about market data',
    description:
      'Sets or clears the primary flag. With trades_without_market_data the client lets orders be sent without a subscription to the broker’s market data; it applies from the next order on, and exits that were declined for it are decided again at once.',
    security: 'bearer',
    params: idParams,
    body: z
      .object({ is_primary: z.boolean().optional(), trades_without_market_data: z.boolean().optional() })
      .meta({ id: 'ChangeBrokerConnectionRequest' }),
    status: 200,
    answer: brokerConnection,
    refusals: ['not_found'],
  }),
  removeBrokerConnection: endpoint(ROUTES.removeBrokerConnection, {
    room: 'brokerage',
    summary: 'Remove a connection that no running deployment uses',
    description: 'Deletes the connection and its credentials. Refused while a running deployment uses it.',
    security: 'bearer',
    params: idParams,
    status: 204,
    answer: z.void(),
    refusals: ['not_found', 'in_use'],
  }),
  setPrimaryBrokerConnection: endpoint(ROUTES.setPrimaryBrokerConnection, {
    room: 'brokerage',
    summary: 'Make this the primary connection',
    description: 'The primary connection is offered first when deploying. Only one connection is primary.',
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: brokerConnection,
    refusals: ['not_found'],
  }),
  listCashStatements: endpoint(ROUTES.listCashStatements, {
    room: 'brokerage',
    summary: "The daily cash statements of a connection's account, newest first",
    description:
      'Since the first deployment traded there, the last thirty. Each leads from the cash at its opening to the cash that the broker shows; what nothing explains is said, and our staff looks at it.',
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: z.array(cashStatement),
    refusals: ['not_found'],
  }),
  chooseBrokerAccount: endpoint(ROUTES.chooseBrokerAccount, {
    room: 'brokerage',
    summary: 'Choose one of the accounts that the sign-in granted',
    description:
      'For a connection in the state choose_account. An account of the same sign-in that was connected before is replaced, unless a deployment trades in it.',
    security: 'bearer',
    params: idParams,
    body: z
      .object({ account: z.string('Choose an account').min(1, 'Choose an account').max(10) })
      .meta({ id: 'ChooseBrokerAccountRequest' }),
    status: 200,
    answer: brokerConnection,
    refusals: ['not_found', 'already_decided', 'out_of_range', 'in_use'],
  }),
  testBrokerConnection: endpoint(ROUTES.testBrokerConnection, {
    room: 'brokerage',
    summary: 'Test the connection at the broker',
    description:
      'Queries the account at the broker. If the broker does not respond, success is false with the reason. Only a lasting refusal ends the connection, and only the trader decides that.',
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: z
      .object({ success: z.boolean(), message: z.string(), connection_status: connectionStatus })
      .meta({ id: 'ConnectionTest' }),
    refusals: ['not_found'],
  }),
  getIbkrStatus: endpoint(ROUTES.getIbkrStatus, {
    room: 'brokerage',
    summary: "The caller's newest attempt to connect Interactive Brokers, or another broker",
    description:
      "The status of the newest attempt, or 'none'. Polled every two seconds while the broker's window is open.",
    security: 'bearer',
    query: z.object({ broker: z.string().max(100).optional().describe('Slug or ID of a broker.') }),
    status: 200,
    answer: connectionAttempt,
    refusals: [],
  }),
} as const;

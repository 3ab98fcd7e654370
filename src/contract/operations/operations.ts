import { z } from 'zod';
import { bookDifference, adjustmentEndpoints, FOR_STAFF, heldExecution } from './adjustments.ts';
import { catalogueEndpoints } from './catalogue.ts';
import { clientEndpoints } from './clients.ts';
import { auditLogEndpoints } from './audit-log.ts';
import { cashDifference } from './cash.ts';
import { health } from './health.ts';
import { deskConnection } from './desk-connection.ts';
import { incident, incidentEndpoints } from './incident.ts';
import {
  incidentSubjectEndpoints,
  missingCommission,
  differingBooks,
  quarantinedDeployment,
  unprotectedPosition,
  unreadRow,
} from './incident-subjects.ts';
import { killSwitch, setKillSwitchBody, tradingHalt } from './kill-switch.ts';
import { proposal } from './proposal.ts';
import { running } from './running.ts';
import { clientPayment, clientPaymentEndpoints, unpaidClient } from './payments.ts';
import { proposalEndpoints } from './proposals.ts';
import { unconfirmedOrder } from './unconfirmed-order.ts';
import { declinedLiquidation, declineLiquidationBody, liquidationRequest } from './liquidation-request.ts';
import { deadLetter, decideDeadLetterBody, deadLetterDecision } from './dead-letter.ts';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';

const haltable = z
  .object({ id: z.string(), name: z.string(), deployments: z.number() })
  .meta({ id: 'HaltableTarget' });

/** The ones waiting longest, and whether there are more. */
const waiting = <Item extends z.ZodType>(item: Item) =>
  z.object({ results: z.array(item), has_more: z.boolean() });

const operationsDesk = z
  .object({
    /** Everything that is wrong now: the worst first, and of these the oldest. */
    incidents: waiting(incident),
    /** Broker connections with deployments that do not simply work, the most money behind them first. */
    connections: waiting(deskConnection),
    running,
    /** The newest version, how many clients signed only an older one, and the day by which they must sign it, if there is one. */
    agreement: z.object({ version: z.string(), unsigned: z.number(), sign_by: z.string().nullable() }),
    kill_switches: z.array(killSwitch),
    /** What waits for a second person of support, or is agreed and not carried out; the newest first. */
    proposals: z.array(proposal),
    orders: waiting(unconfirmedOrder),
    /** Of kind unexplained. */
    differences: waiting(bookDifference),
    /** Of the other kinds: books and known trades add up to the broker's position, but units are missing. */
    missing_holdings: waiting(bookDifference),
    executions: waiting(heldExecution),
    /** Accounts with more or less cash than everything that is known to have moved. */
    cash_differences: waiting(cashDifference),
    /** Rows of brokers that cannot be read, those that hold an instrument first; ones that no person must look at last. */
    unread_rows: waiting(unreadRow),
    /** Fills whose commission the broker has owed for over a day. */
    missing_commissions: waiting(missingCommission),
    /** Positions whose protective stop could not be placed, acknowledged ones too. */
    unprotected: waiting(unprotectedPosition),
    /** Deployments that are set aside, until two people release them or they are closed. */
    quarantined: waiting(quarantinedDeployment),
    /** Deployments whose stored figures are not what their executions make of them, until two people have them rebuilt. */
    differing_books: waiting(differingBooks),
    liquidations: waiting(liquidationRequest),
    /** Clients with overdue fee bills, the longest overdue first. */
    unpaid_clients: waiting(unpaidClient),
    /** Payments that somebody proposes to give back. */
    refunds: waiting(clientPayment),
    /** Background jobs that failed for good. */
    dead_letters: waiting(deadLetter),
    /** The brokers, strategies and clients with deployments that a switch could halt. */
    brokers: z.array(haltable),
    strategies: z.array(haltable),
    /** Real time of this reading. */
    as_of: z.string(),
    /** The trader's last reading of the market's clock; null when it never ran. */
    market_at: z.string().nullable(),
    /** Real time of the trader's last sign of life. */
    trader_seen_at: z.string().nullable(),
  })
  .meta({ id: 'OperationsDesk' });

export type OperationsDesk = z.infer<typeof operationsDesk>;

export const operationsEndpoints = {
  getHealth: endpoint(ROUTES.getHealth, {
    room: 'operations',
    summary: 'Database, trader lag, market clock, incidents, version',
    description:
      'Only the database is required: an absent trader or market, or an incident to act on now, is reported as degraded.',
    security: 'open',
    status: 200,
    answer: health,
    refusals: [],
  }),
  getReadiness: endpoint(ROUTES.getReadiness, {
    room: 'operations',
    summary: 'Whether this process can serve',
    description: 'For the load balancer: 200 while the database responds.',
    security: 'open',
    status: 200,
    answer: z.object({ ready: z.literal(true) }).meta({ id: 'Readiness' }),
    refusals: [],
  }),
  getMetrics: endpoint(ROUTES.getMetrics, {
    room: 'operations',
    summary: 'Metrics of this process, in the Prometheus text format',
    description: 'Counts, durations, pool and stream gauges; no personal data and no IDs.',
    security: 'open',
    status: 200,
    answer: z.string(),
    media: 'text/plain',
    refusals: [],
  }),
  getDocs: endpoint(ROUTES.getDocs, {
    room: 'operations',
    summary: 'This documentation as a page',
    description: 'The OpenAPI document as a readable page, without scripts.',
    security: 'open',
    status: 200,
    answer: z.string(),
    media: 'text/html',
    refusals: [],
    isStatic: true,
  }),
  getRunbook: endpoint(ROUTES.getRunbook, {
    room: 'operations',
    summary: 'The runbook for operators as a page',
    description: 'What to do about each kind of incident; the desk links to its entries.',
    security: 'open',
    status: 200,
    answer: z.string(),
    media: 'text/html',
    refusals: [],
    isStatic: true,
  }),
  getOperationsDesk: endpoint(ROUTES.getOperationsDesk, {
    room: 'operations',
    summary:
      'What is wrong and what needs a decision: incidents, connections, kill switches, unconfirmed orders, breaks, requests',
    description: `One consistent snapshot, oldest first; breaks that hold exits come first. ${FOR_STAFF}`,
    security: 'bearer',
    status: 200,
    answer: operationsDesk,
    refusals: ['not_found'],
  }),
  setKillSwitch: endpoint(ROUTES.setKillSwitch, {
    room: 'operations',
    summary: 'Halt all trading, or that of a broker, a strategy or a client',
    description: `Within a second of the answer no orders are sent. The halt stays on through restarts until two people lift it, is in the audit log, and owners see the reason. With cancels_orders, cancelling open orders and protective stops is proposed as well: a second person approves that. ${FOR_STAFF}`,
    security: 'bearer',
    body: setKillSwitchBody,
    status: 201,
    answer: killSwitch,
    refusals: ['not_found', 'already_exists'],
    idempotent: true,
  }),
  declineLiquidation: endpoint(ROUTES.declineLiquidation, {
    room: 'operations',
    summary: 'Decline a liquidation request',
    description: `The owner sees the reason, and an open proposal to approve the request becomes void. To approve takes two people: see proposals. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    body: declineLiquidationBody,
    status: 200,
    answer: declinedLiquidation,
    refusals: ['not_found', 'already_decided'],
    idempotent: true,
  }),
  decideDeadLetter: endpoint(ROUTES.decideDeadLetter, {
    room: 'operations',
    summary: 'Retry or discard a background job that failed for good',
    description: `Retried, it is sent again as new. Discarded, it is removed; work that is still due is sent again in time. Decided once. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    body: decideDeadLetterBody,
    status: 200,
    answer: deadLetterDecision,
    refusals: ['not_found', 'already_decided', 'illegal_move'],
    idempotent: true,
  }),
  ...adjustmentEndpoints,
  ...auditLogEndpoints,
  ...incidentEndpoints,
  ...incidentSubjectEndpoints,
  ...proposalEndpoints,
  ...catalogueEndpoints,
  ...clientEndpoints,
  ...clientPaymentEndpoints,
  getTradingHalt: endpoint(ROUTES.getTradingHalt, {
    room: 'operations',
    summary: 'Whether you have halted all your trading',
    description: 'Your own switch. Each deployment reports halts by the provider.',
    security: 'bearer',
    status: 200,
    answer: tradingHalt,
    refusals: [],
  }),
  haltTrading: endpoint(ROUTES.haltTrading, {
    room: 'operations',
    summary: 'Halt all your trading, including future deployments',
    description:
      'Within a second of the answer no orders are sent, including exits and stop losses, until you lift it. Repeat with cancels_orders to cancel open orders too; repeating never undoes anything.',
    security: 'bearer',
    body: z
      .object({ cancels_orders: z.boolean('Choose whether open orders are cancelled too') })
      .meta({ id: 'HaltTradingRequest' }),
    status: 200,
    answer: tradingHalt,
    refusals: [],
  }),
  liftTradingHalt: endpoint(ROUTES.liftTradingHalt, {
    room: 'operations',
    summary: 'Lift your own halt',
    description: 'Trading continues from its next decision. Halts by the provider stay on.',
    security: 'bearer',
    status: 200,
    answer: tradingHalt,
    refusals: [],
  }),
} as const;

import { z } from 'zod';
import { DEPLOYMENT_STATUSES } from '#engine/lifecycle/status.ts';
import { JOB_FAILURES, JOB_KINDS } from '#rules/operations/dead-letter.ts';
import { KILL_SWITCH_SCOPES } from '#rules/operations/kill-switch.ts';
import { SESSION_STATES } from '#engine/execution/connection/session-state.ts';
import { bookDifference, adjustmentEndpoints, FOR_STAFF, heldExecution, reason } from './adjustments.ts';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';

const health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    database: z.object({ status: z.enum(['ok', 'unavailable']), latency_ms: z.number().nullable() }),
    /** lag_ms: real milliseconds since the trader's last heartbeat; null when it never ran. */
    trader: z.object({ status: z.enum(['ok', 'late', 'absent']), lag_ms: z.number().nullable() }),
    /** The market clock; now is null while it is not known. */
    market: z.object({
      now: z.string().nullable(),
      mode: z.string().nullable(),
      /** Real seconds that one calendar day of the market takes. */
      day_seconds: z.number().nullable(),
    }),
  })
  .meta({ id: 'Health' });

export type Health = z.infer<typeof health>;

const killSwitch = z
  .object({
    id: z.string(),
    scope: z.enum(KILL_SWITCH_SCOPES),
    /** The id of the broker, the strategy or the client; null for everybody. */
    target: z.string().nullable(),
    /** A broker's or strategy's name, a client's e-mail; empty for everybody. */
    name: z.string(),
    /** Whether orders that work at the broker are cancelled too, protective stops included. */
    cancels_orders: z.boolean(),
    reason: z.string(),
    /** The e-mail of who turned it on. */
    set_by: z.string(),
    /** Real time. */
    set_at: z.string(),
    /** Deployments that it halts, of those that have not ended. */
    deployments: z.number(),
  })
  .meta({ id: 'KillSwitch' });

export type KillSwitch = z.infer<typeof killSwitch>;

const unconfirmedOrder = z
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
    /** What the broker said, or what is known instead. */
    broker_message: z.string(),
    /** Null while the broker has shown none. */
    broker_order_id: z.string().nullable(),
    /** The connection as it is now; null where nobody has looked yet. */
    session: z.enum(SESSION_STATES).nullable(),
    /** Executions that the broker told without a name and that may be of it. */
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

const liquidationRequest = z
  .object({
    id: z.string(),
    deployment: z.string(),
    client: z.string(),
    strategy_name: z.string(),
    status: z.enum(DEPLOYMENT_STATUSES),
    /** Dollars. */
    equity: z.number(),
    /** Market time. */
    requested_at: z.string(),
    /** Why it cannot be approved now; null when it can. */
    refusal: z.string().nullable(),
  })
  .meta({ id: 'LiquidationRequest' });

export type LiquidationRequest = z.infer<typeof liquidationRequest>;

const deadLetter = z
  .object({
    id: z.string(),
    kind: z.enum(JOB_KINDS),
    /** The strategy, or the purpose of the mail; null where there is nothing to name. */
    subject: z.string().nullable(),
    /** The e-mail of the client whose it is; null where it is nobody's. */
    client: z.string().nullable(),
    failure: z.enum(JOB_FAILURES),
    /** The failure as a sentence. */
    reason: z.string(),
    /** What the error said. */
    detail: z.string().nullable(),
    attempts: z.number(),
    /** Real time. */
    sent_at: z.string(),
    failed_at: z.string(),
  })
  .meta({ id: 'DeadLetter' });

export type DeadLetter = z.infer<typeof deadLetter>;

const haltable = z
  .object({ id: z.string(), name: z.string(), deployments: z.number() })
  .meta({ id: 'HaltableTarget' });

/** The longest waiting, and whether there are more than these. */
const waiting = <Item extends z.ZodType>(item: Item) =>
  z.object({ results: z.array(item), has_more: z.boolean() });

const operationsDesk = z
  .object({
    kill_switches: z.array(killSwitch),
    orders: waiting(unconfirmedOrder),
    /** Of kind unexplained. */
    differences: waiting(bookDifference),
    /** Of the other kinds: books and known trades come to what the broker says, and yet units are not there. */
    missing_holdings: waiting(bookDifference),
    executions: waiting(heldExecution),
    liquidations: waiting(liquidationRequest),
    /** Background jobs that failed for good. */
    dead_letters: waiting(deadLetter),
    /** What has deployments that a switch could halt. */
    brokers: z.array(haltable),
    strategies: z.array(haltable),
    /** Real time at which this was read. */
    as_of: z.string(),
    /** The trader's last reading of the market's clock; null when it never ran. */
    market_at: z.string().nullable(),
    /** Real time of the trader's last sign of life. */
    trader_seen_at: z.string().nullable(),
  })
  .meta({ id: 'OperationsDesk' });

export type OperationsDesk = z.infer<typeof operationsDesk>;

const setKillSwitchBody = z
  .object({
    scope: z.enum(KILL_SWITCH_SCOPES, 'Choose what to halt: global, broker, strategy or client'),
    /** A broker's or strategy's id or slug, a client's id or e-mail; left out for everybody. */
    target: z.string().trim().min(1).max(254).optional(),
    cancels_orders: z.boolean('Choose whether open orders are cancelled too'),
    reason,
  })
  .superRefine(({ scope, target }, context) => {
    if ((scope === 'global') !== (target === undefined))
      context.addIssue({
        code: 'custom',
        path: ['target'],
        message: scope === 'global' ? 'A global halt has no target' : `Name the ${scope} to halt`,
      });
  })
  .meta({ id: 'SetKillSwitchRequest' });

const resolveOrderBody = z
  .discriminatedUnion('verdict', [
    z.object({
      verdict: z.literal('arrived'),
      broker_order_id: z.string('Enter the broker’s order ID').trim().min(1).max(100),
      reason,
      confirmation: z.string('Enter the last six characters of the client order ID').trim().max(200),
    }),
    z.object({
      verdict: z.literal('never_arrived'),
      reason,
      confirmation: z.string('Enter the last six characters of the client order ID').trim().max(200),
    }),
  ])
  .meta({ id: 'ResolveOrderRequest' });

const decideLiquidationBody = z
  .discriminatedUnion('decision', [
    z.object({ decision: z.literal('approve') }),
    z.object({ decision: z.literal('decline'), reason }),
  ])
  .meta({ id: 'DecideLiquidationRequest' });

const liquidationDecision = z
  .object({
    id: z.string(),
    decision: z.enum(['approve', 'decline']),
    /** Null of an approval. */
    reason: z.string().nullable(),
    decided_at: z.string(),
  })
  .meta({ id: 'LiquidationDecision' });

const decideDeadLetterBody = z
  .object({ decision: z.enum(['retry', 'discard'], 'Say whether to retry or to discard it') })
  .meta({ id: 'DecideDeadLetterRequest' });

const deadLetterDecision = z
  .object({ id: z.string(), decision: z.enum(['retry', 'discard']), decided_at: z.string() })
  .meta({ id: 'DeadLetterDecision' });

const tradingHalt = z
  .object({
    is_on: z.boolean(),
    /** Whether orders that work at the broker are cancelled too, protective stops included. */
    cancels_orders: z.boolean(),
    /** Real time; null while it is off. */
    since: z.string().nullable(),
  })
  .meta({ id: 'TradingHalt' });

export type TradingHalt = z.infer<typeof tradingHalt>;

export const operationsEndpoints = {
  getHealth: endpoint(ROUTES.getHealth, {
    room: 'operations',
    summary: 'Database, trader lag, market clock, version',
    description: 'Only the database is required: an absent trader or market is reported as degraded.',
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
  getOperationsDesk: endpoint(ROUTES.getOperationsDesk, {
    room: 'operations',
    summary:
      'Everything that needs a decision: kill switches, unconfirmed orders, reconciliation breaks, liquidation requests',
    description: `One consistent snapshot, oldest first; breaks that hold exits come first. ${FOR_STAFF}`,
    security: 'bearer',
    status: 200,
    answer: operationsDesk,
    refusals: ['not_found'],
  }),
  setKillSwitch: endpoint(ROUTES.setKillSwitch, {
    room: 'operations',
    summary: 'Halt all trading, or that of a broker, a strategy or a client',
    description: `Within a second of the answer no orders are sent. The halt stays on through restarts until lifted, is in the audit log, and owners see the reason. ${FOR_STAFF}`,
    security: 'bearer',
    body: setKillSwitchBody,
    status: 201,
    answer: killSwitch,
    refusals: ['not_found', 'already_exists'],
    idempotent: true,
  }),
  widenKillSwitch: endpoint(ROUTES.widenKillSwitch, {
    room: 'operations',
    summary: 'Extend an active kill switch to cancel open orders',
    description: `Trading stays halted throughout. Repeating it changes nothing. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: killSwitch,
    refusals: ['not_found', 'already_decided'],
  }),
  liftKillSwitch: endpoint(ROUTES.liftKillSwitch, {
    room: 'operations',
    summary: 'Lift a kill switch',
    description: `Trading continues from its next decision. Repeating it changes nothing. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    status: 204,
    answer: z.void(),
    refusals: ['not_found'],
  }),
  resolveOrder: endpoint(ROUTES.resolveOrder, {
    room: 'operations',
    summary: 'Resolve an unconfirmed order',
    description: `Either it is the broker's order with this ID, or the broker has nothing of it. confirmation is the last six characters of its client order ID. The trader applies the decision at its next check, unless the broker reports more first; until then a new decision replaces it. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    body: resolveOrderBody,
    status: 200,
    answer: unconfirmedOrder,
    refusals: ['not_found', 'already_decided', 'in_use'],
    idempotent: true,
  }),
  decideLiquidation: endpoint(ROUTES.decideLiquidation, {
    room: 'operations',
    summary: 'Approve or decline a liquidation request',
    description: `Approve: the trader sells everything and the deployment closes. Decline: the owner sees the reason. Decided once. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    body: decideLiquidationBody,
    status: 200,
    answer: liquidationDecision,
    refusals: ['not_found', 'already_decided', 'illegal_move'],
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

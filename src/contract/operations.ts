import { z } from 'zod';
import { DEPLOYMENT_STATUSES } from '#engine/lifecycle/status.ts';
import { JOB_FAILURES, JOB_KINDS } from '#rules/operations/dead-letter.ts';
import { KILL_SWITCH_SCOPES } from '#rules/operations/kill-switch.ts';
import { SESSION_STATES } from '#rules/brokerage/session-state.ts';
import { bookDifference, correctionEndpoints, FOR_STAFF, heldExecution, reason } from './corrections.ts';
import { endpoint, idParams } from './endpoint.ts';
import { ROUTES } from './route.ts';

export const health = z
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

export const killSwitch = z
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

export const undecidedOrder = z
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
    told: z.string(),
    /** Null while the broker has shown none. */
    broker_order_id: z.string().nullable(),
    /** The connection as it is now; null where nobody has looked yet. */
    session: z.enum(SESSION_STATES).nullable(),
    /** Executions that the broker told without a name and that may be of it. */
    held_executions: z.number(),
    /** A decision that the trader has not carried out yet. */
    decision: z
      .object({
        verdict: z.enum(['is_there', 'not_there']),
        broker_order_id: z.string().nullable(),
        reason: z.string(),
        by: z.string(),
        at: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'UndecidedOrder' });

export type UndecidedOrder = z.infer<typeof undecidedOrder>;

export const liquidationRequest = z
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

export const deadLetter = z
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

export const operationsDesk = z
  .object({
    kill_switches: z.array(killSwitch),
    orders: waiting(undecidedOrder),
    /** Of kind unexplained. */
    differences: waiting(bookDifference),
    /** Of the other kinds: books and known trades come to what the broker says, and yet units are not there. */
    not_there: waiting(bookDifference),
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
    scope: z.enum(KILL_SWITCH_SCOPES, 'Say what to halt: global, broker, strategy or client'),
    /** A broker's or strategy's id or slug, a client's id or e-mail; left out for everybody. */
    target: z.string().trim().min(1).max(254).optional(),
    cancels_orders: z.boolean('Say whether orders that work are cancelled too'),
    reason,
  })
  .superRefine(({ scope, target }, context) => {
    if ((scope === 'global') !== (target === undefined))
      context.addIssue({
        code: 'custom',
        path: ['target'],
        message: scope === 'global' ? 'Everybody has no target' : `Name the ${scope} to halt`,
      });
  })
  .meta({ id: 'SetKillSwitchRequest' });

const settleOrderBody = z
  .discriminatedUnion('verdict', [
    z.object({
      verdict: z.literal('is_there'),
      broker_order_id: z.string('Write the broker’s id of the order').trim().min(1).max(100),
      reason,
      confirmation: z.string('Write the last six signs of the client order id').trim().max(200),
    }),
    z.object({
      verdict: z.literal('not_there'),
      reason,
      confirmation: z.string('Write the last six signs of the client order id').trim().max(200),
    }),
  ])
  .meta({ id: 'SettleOrderRequest' });

const decideLiquidationBody = z
  .discriminatedUnion('decision', [
    z.object({ decision: z.literal('approve') }),
    z.object({ decision: z.literal('decline'), reason }),
  ])
  .meta({ id: 'DecideLiquidationRequest' });

export const liquidationDecision = z
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

export const deadLetterDecision = z
  .object({ id: z.string(), decision: z.enum(['retry', 'discard']), decided_at: z.string() })
  .meta({ id: 'DeadLetterDecision' });

export const tradingHalt = z
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
    description: 'Serving needs the database alone: a trader or a market that is away is told as degraded.',
    security: 'open',
    status: 200,
    answer: health,
    refusals: [],
  }),
  getReadiness: endpoint(ROUTES.getReadiness, {
    room: 'operations',
    summary: 'Whether this process can serve',
    description: 'For the load balancer: 200 while the database answers.',
    security: 'open',
    status: 200,
    answer: z.object({ ready: z.literal(true) }).meta({ id: 'Readiness' }),
    refusals: [],
  }),
  getMetrics: endpoint(ROUTES.getMetrics, {
    room: 'operations',
    summary: 'Counts and times of this process, in the text format of Prometheus',
    description: 'Counts, durations, pool and stream gauges; no address of a person and no id is in it.',
    security: 'open',
    status: 200,
    answer: z.string(),
    media: 'text/plain',
    refusals: [],
  }),
  getDocs: endpoint(ROUTES.getDocs, {
    room: 'operations',
    summary: 'This documentation as a page',
    description: 'The OpenAPI document for people to read, without a script.',
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
    description: `Everything at one reading, the longest waiting first; differences that make exits wait before others. ${FOR_STAFF}`,
    security: 'bearer',
    status: 200,
    answer: operationsDesk,
    refusals: ['not_found'],
  }),
  setKillSwitch: endpoint(ROUTES.setKillSwitch, {
    room: 'operations',
    summary: 'Halt all trading, or that of a broker, a strategy or a client',
    description: `No order is sent later than a second after the answer. It holds through restarts until it is lifted, is in the audit log, and the owners read why. ${FOR_STAFF}`,
    security: 'bearer',
    body: setKillSwitchBody,
    status: 201,
    answer: killSwitch,
    refusals: ['not_found', 'already_exists'],
    idempotent: true,
  }),
  widenKillSwitch: endpoint(ROUTES.widenKillSwitch, {
    room: 'operations',
    summary: 'Let a kill switch that is on also cancel what works at the broker',
    description: `Trading stays halted throughout. Asking twice is asking once. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: killSwitch,
    refusals: ['not_found', 'already_decided'],
  }),
  liftKillSwitch: endpoint(ROUTES.liftKillSwitch, {
    room: 'operations',
    summary: 'Lift a kill switch',
    description: `Trading goes on from its next decision. One that is off already stays off. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    status: 204,
    answer: z.void(),
    refusals: ['not_found'],
  }),
  settleOrder: endpoint(ROUTES.settleOrder, {
    room: 'operations',
    summary: 'Resolve an unconfirmed order',
    description: `It is the broker's order of this id, or nothing of it is there. confirmation is the last six signs of its client order id. The trader carries the decision out at its next look, unless the broker tells more before; until then another decision takes its place. ${FOR_STAFF}`,
    security: 'bearer',
    params: idParams,
    body: settleOrderBody,
    status: 200,
    answer: undecidedOrder,
    refusals: ['not_found', 'already_decided', 'in_use'],
    idempotent: true,
  }),
  decideLiquidation: endpoint(ROUTES.decideLiquidation, {
    room: 'operations',
    summary: 'Approve or decline a request to liquidate',
    description: `Approved, the trader sells everything and the deployment ends. Declined, its owner reads why. Decided once. ${FOR_STAFF}`,
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
  ...correctionEndpoints,
  getTradingHalt: endpoint(ROUTES.getTradingHalt, {
    room: 'operations',
    summary: 'Whether the signed-in person has halted all trading of their own',
    description: 'The person’s own switch. Halts by the provider are told by each deployment.',
    security: 'bearer',
    status: 200,
    answer: tradingHalt,
    refusals: [],
  }),
  haltTrading: endpoint(ROUTES.haltTrading, {
    room: 'operations',
    summary: 'Halt all trading of one’s own deployments, those of later included',
    description:
      'No order is sent later than a second after the answer, exits and stop losses included, until the person lifts it. Asked again with cancels_orders it also cancels what works; asking never takes anything back.',
    security: 'bearer',
    body: z
      .object({ cancels_orders: z.boolean('Say whether orders that work are cancelled too') })
      .meta({ id: 'HaltTradingRequest' }),
    status: 200,
    answer: tradingHalt,
    refusals: [],
  }),
  liftTradingHalt: endpoint(ROUTES.liftTradingHalt, {
    room: 'operations',
    summary: 'Lift the halt of one’s own trading',
    description: 'Trading goes on from its next decision. Halts by the provider stay.',
    security: 'bearer',
    status: 200,
    answer: tradingHalt,
    refusals: [],
  }),
} as const;

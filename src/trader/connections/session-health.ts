// The session behind one connection as a state that people see, and what follows from it: after each gap everything is
// read and booked before anything is sent, and a permission counts as gone only when that lasts.
import type { SeenPositions } from '#engine/execution/reconcile-positions.ts';
import type { BrokerFailureCode, BrokerReset, BrokerSession } from '#ports/broker.ts';
import { endSilence, saveBrokerSession } from '#records/brokerage/broker-sessions.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { revokeConnection, type TradingConnection } from '#records/brokerage/trading-connections.ts';
import type { BrokerSessionState } from '#rules/brokerage/session-state.ts';
import type { NotificationId, OrderId, Symbol } from '#units/identifiers.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import { applyDisconnectPolicies } from './apply-disconnect-policies.ts';
import { BrokerUnavailable } from './broker-unavailable.ts';
import type { TradingContext } from '../trading-context.ts';

export type SessionHealth = {
  /** Trading clock: since when each look was answered in full; null since the last gap. Nothing is sent before. */
  reconciledSince: Instant | null;
  /** Real clock: when everything was last read and booked. A gap leaves it. */
  reconciledAt: Instant | null;
  /** When an order was first found missing, and nothing but its absence was seen since. Trading clock. */
  readonly missedSince: Map<OrderId, Instant>;
  /** Since when the broker reports more of a stop as filled than its executions show. Trading clock. */
  readonly executionsMissingSince: Map<OrderId, Instant>;
  /** What was seen of the account's positions beside our books. */
  seen: SeenPositions;
  /** The breaks that are recorded for the account, by slot; null until they were read. */
  breaks: Map<string, string> | null;
  /** The account's positions as last read. */
  held: ReadonlyMap<Symbol, number> | null;
  /** Real clock. */
  heldAt: number;
  /** Whether what rests there would sell more than was held when last looked. */
  hasOversizedStops: boolean;
  saved: BrokerSessionState | null;
  /** Real clock: since when the permission is refused, and how often it was. */
  refusedSince: Instant | null;
  refusals: number;
};

export function newSessionHealth(): SessionHealth {
  return {
    reconciledSince: null,
    reconciledAt: null,
    missedSince: new Map(),
    executionsMissingSince: new Map(),
    seen: { beside: new Map(), unexplained: new Map(), external: new Map() },
    breaks: null,
    held: null,
    heldAt: 0,
    hasOversizedStops: false,
    saved: null,
    refusedSince: null,
    refusals: 0,
  };
}

/** Orders, executions and positions were all read and booked. */
export async function noteReconciled(
  context: TradingContext,
  connection: TradingConnection,
  { health, session }: { readonly health: SessionHealth; readonly session: BrokerSession },
): Promise<void> {
  health.reconciledSince ??= context.now;
  health.reconciledAt = context.realNow();
  health.refusedSince = null;
  health.refusals = 0;
  const { status, detail } = session.sessionState();
  const state = STATE_OF[status] ?? 'degraded';
  await save(context, connection, { health, state, detail });
}

const STATE_OF: { readonly [status: string]: BrokerSessionState } = {
  connected: 'connected',
  read_only: 'read_only',
  competing: 'competing',
  degraded: 'degraded',
  lost: 'lost',
  signed_out: 'sign_in_due',
};

/** What had been seen counts no more: the session was not up throughout. */
export async function noteGap(
  context: TradingContext,
  connection: TradingConnection,
  { health, session, error }: { health: SessionHealth; session: BrokerSession | null; error: unknown },
): Promise<void> {
  forget(health);
  if (!(error instanceof BrokerUnavailable)) return;
  const reset = context.broker.resetAt(context.now);
  const detail = error.message;
  if (reset !== null) {
    await noteReset(context, connection, health, reset);
    return;
  }
  const status = session?.sessionState().status ?? null;
  await save(context, connection, { health, state: stateOfFailure(error.code, status), detail });
  if (error.code === 'unauthorized') await countRefusal(context, connection, health);
}

/** A silence that was announced: nothing is sent in it, and it is a gap like any other. */
export async function noteReset(
  context: TradingContext,
  connection: TradingConnection,
  health: SessionHealth,
  { kind, until }: BrokerReset,
): Promise<void> {
  forget(health);
  await save(context, connection, { health, state: 'reset_window', detail: `${kind} reset`, until });
}

function forget(health: SessionHealth): void {
  health.reconciledSince = null;
  health.missedSince.clear();
  health.held = null;
}

function stateOfFailure(
  code: BrokerFailureCode,
  status: ReturnType<BrokerSession['sessionState']>['status'] | null,
): BrokerSessionState {
  if (code === 'unauthorized') return 'sign_in_due';
  if (code === 'unreachable') return 'lost';
  // A session that has not been started yet calls itself read_only too, but is refused nothing.
  if (code === 'refused' && status === 'read_only') return 'read_only';
  return code === 'no_session' && status === 'competing' ? 'competing' : 'degraded';
}

type Seen = {
  readonly health: SessionHealth;
  readonly state: BrokerSessionState;
  readonly detail: string;
  readonly until?: Instant;
};

/** Written when it changes, and no more often. */
async function save(
  context: TradingContext,
  connection: TradingConnection,
  { health, state, detail, until }: Seen,
): Promise<void> {
  if (health.saved === state) return;
  const since = context.realNow();
  await context.database.transaction().execute(async (trx) => {
    await context.lease.fence(trx, [connection.id]);
    const seen = { state, since, detail, until: until ?? null, reconciledAt: health.reconciledAt };
    await saveBrokerSession(trx, { connectionId: connection.id, ...seen }, context.now);
    if (health.reconciledSince === null) return;
    const minutes = await endSilence(trx, connection.id, context.now);
    if (minutes !== null) await applyDisconnectPolicies(trx, context, { connection: connection.id, minutes });
  });
  health.saved = state;
}

/** One refusal may be a moment's trouble at the broker. Several over a while end the connection, and the person is told. */
async function countRefusal(
  context: TradingContext,
  connection: TradingConnection,
  health: SessionHealth,
): Promise<void> {
  health.refusedSince ??= context.realNow();
  health.refusals += 1;
  const lasts = context.realNow() - health.refusedSince >= REFUSED_FOR_MS;
  if (lasts && health.refusals >= REFUSALS_MIN) await disconnect(context, connection);
}

/** The person is told in the transaction that ends the connection. */
async function disconnect(context: TradingContext, { id }: TradingConnection): Promise<void> {
  const { database, lease, newId, now } = context;
  await database.transaction().execute(async (trx) => {
    await lease.fence(trx, [id]);
    const revoked = await revokeConnection(trx, id);
    if (revoked === undefined) return;
    const { userId, brokerName } = revoked;
    const kind = 'broker_disconnected';
    const facts = { kind, brokerName } as const;
    const notification = { id: newId() as NotificationId, userId, deploymentId: null, facts };
    await insertNotifications(trx, [{ ...notification, cause: `${kind}:${id}`, at: now }]);
  });
}

const REFUSALS_MIN = 3;
const REFUSED_FOR_MS = 10 * MINUTE_MS;

// Saves the session state of one connection: the state that its owner sees, the policies that a silence triggers, and the
// end of a permission that stays refused.
import {
  afterGap,
  afterReconciliation,
  afterRefusal,
  stateOfFailure,
  stateOfSession,
} from '#engine/execution/connection/session-health.ts';
import { connectionIncident } from '#engine/incidents/connection-incident.ts';
import type { BrokerSessionState } from '#engine/execution/connection/session-state.ts';
import type { BrokerReset, BrokerSession } from '#ports/broker.ts';
import { brokerOf } from '#ports/brokers.ts';
import { endSilence, saveBrokerSession } from '#records/brokerage/broker-sessions.ts';
import { revokeConnection, type TradingConnection } from '#records/brokerage/trading-connections.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import type { NotificationId } from '#units/identifiers.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import { saveConnectionIncident } from '../incidents/save-connection-incident.ts';
import type { TradingContext } from '../trading-context.ts';
import { applyDisconnectPolicies } from './apply-disconnect-policies.ts';
import { brokerNow } from './broker-clock.ts';
import { BrokerUnavailable } from './broker-unavailable.ts';
import type { ActiveConnection, KnownConnection } from './connection.ts';

/** Orders, executions and positions were all read and booked. */
export async function noteReconciled(
  context: TradingContext,
  connection: TradingConnection,
  { known, session }: Pick<ActiveConnection, 'known' | 'session'>,
): Promise<void> {
  const broker = brokerOf(context.brokers, connection.vendor);
  known.health = afterReconciliation(known.health, {
    brokerNow: brokerNow(context, broker),
    realNow: context.realNow(),
  });
  const { status, detail } = session.sessionState();
  await save(context, connection, { known, state: stateOfSession(status), detail });
}

/** Earlier looks no longer count: the session was not up throughout. */
export async function noteGap(
  context: TradingContext,
  connection: TradingConnection,
  { known, session, error }: { known: KnownConnection; session: BrokerSession | null; error: unknown },
): Promise<void> {
  known.health = afterGap(known.health);
  if (!(error instanceof BrokerUnavailable)) return;
  const broker = brokerOf(context.brokers, connection.vendor);
  const reset = broker.resetAt(brokerNow(context, broker));
  if (reset !== null) {
    await noteReset(context, connection, known, reset);
    return;
  }
  const state = stateOfFailure(error.code, session?.sessionState().status ?? null);
  const until = error.until ?? undefined;
  await save(context, connection, { known, state, detail: error.message, until });
  if (error.code !== 'unauthorized') return;
  const { health, isRevoked } = afterRefusal(known.health, context.realNow());
  known.health = health;
  if (isRevoked) await disconnect(context, connection);
}

/** An announced silence: nothing is sent in it, and it is a gap like any other. */
export async function noteReset(
  context: TradingContext,
  connection: TradingConnection,
  known: KnownConnection,
  { kind, until }: BrokerReset,
): Promise<void> {
  known.health = afterGap(known.health);
  await save(context, connection, { known, state: 'reset_window', detail: `${kind} reset`, until });
}

type Seen = {
  readonly known: KnownConnection;
  readonly state: BrokerSessionState;
  readonly detail: string;
  readonly until?: WallInstant | undefined;
};

/** Written only on change; a state that lasts becomes an incident. */
async function save(
  context: TradingContext,
  connection: TradingConnection,
  { known, state, detail, until }: Seen,
): Promise<void> {
  const { reconciledSince, reconciledAt } = known.health;
  const now = context.realNow();
  const { saved } = known;
  const isSame = saved?.state === state && (until ?? null) === saved.until;
  if (isSame && connectionIncident(saved, now) === saved.incident) return;
  known.saved = await context.database.transaction().execute(async (trx) => {
    await context.lease.fence(trx, [connection.id]);
    const seen = { state, since: now, detail, until: until ?? null, reconciledAt };
    const since = await saveBrokerSession(trx, { connectionId: connection.id, ...seen }, context.now);
    const incident = connectionIncident({ state, since }, now);
    await saveConnectionIncident(trx, connection, { incident, since, detail, now });
    if (reconciledSince !== null) {
      const minutes = await endSilence(trx, connection.id, context.now);
      if (minutes !== null)
        await applyDisconnectPolicies(trx, context, { connection: connection.id, minutes });
    }
    return { state, since, until: until ?? null, incident };
  });
}

/** The person is notified in the transaction that ends the connection. */
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

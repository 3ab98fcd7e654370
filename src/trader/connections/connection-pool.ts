// One worker per broker connection: its session, and one job at a time. A slow or unreachable broker delays only its own
// connection; work that exceeds the tick's patience continues during the next ticks.
import {
  connectionsToAct,
  connectionsToReconcile,
  keepsSession,
  IDLE_MS,
  idleAfterFailure,
} from '#engine/execution/connection/connection-turns.ts';
import {
  afterBooking,
  booksNews,
  looksFirst,
  maySend,
  NO_NEWS,
} from '#engine/execution/connection/what-to-ask.ts';
import type { BrokerSession } from '#ports/broker.ts';
import { brokerOf, findBrokerOf, openSessionOf, type SessionOpener } from '#ports/brokers.ts';
import {
  listToCorrect,
  listTradingConnections,
  ordersAtBroker,
  type TradingConnection,
} from '#records/brokerage/trading-connections.ts';
import { LeaseLost } from '../lease-lost.ts';
import { shardOf } from '#records/operations/trading-shards.ts';
import type { BrokerConnectionId, Symbol } from '#units/identifiers.ts';
import { msBetween, wallAfter } from '#units/wall-instant.ts';
import { applyAdjustments } from '../adjustments/apply-adjustments.ts';
import { checkCash } from '../cash/check-cash.ts';
import { hasOpening } from '../cash/record-opening.ts';
import { brokerNow } from './broker-clock.ts';
import { listByTurn } from './by-turn.ts';
import { createLateConnections } from './late-connections.ts';
import { valueOf } from './broker-unavailable.ts';
import { cancelUnwanted } from '../execution/cancel-orders.ts';
import { findOversizedStops } from '../execution/oversized-stops.ts';
import { sendOrders } from '../execution/send-orders.ts';
import { createTogether, type JoinedConnection, type Together } from './together.ts';
import { saveAccountRestrictions } from '../incidents/save-account-restrictions.ts';
import { saveOrderIncidents } from '../incidents/save-order-incidents.ts';
import { failingConnection } from '../incidents/failing-connection.ts';
import { noteGap, noteReconciled, noteReset } from './save-session.ts';
import {
  type ConnectionWorker,
  dropSession,
  isLookNow,
  keepAlive,
  lastLook,
  listenTo,
  mustKeepAlive,
  newWorker,
} from './connection-worker.ts';
import { createTurns } from './turns.ts';
import { createVisits } from './visits.ts';
import { bookNews } from '../reconciliation/book-news.ts';
import { confirmCancellations, reconcile } from '../reconciliation/reconcile-orders.ts';
import { readPositions } from '../reconciliation/reconcile-positions.ts';
import { settleAfterRestore } from '../reconciliation/settle-after-restore.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

export type ConnectionPool = {
  /** Books what happened at the broker, for every connection that may have news. */
  reconcile(context: TradingContext, patienceMs: number): Promise<void>;
  /** Cancels unwanted orders, sends new ones, and books the results at once. */
  act(
    context: TradingContext,
    patienceMs: number,
    /** Connections with a working protective stop that should no longer work. */
    mismatched?: ReadonlySet<BrokerConnectionId>,
  ): Promise<void>;
  /** The connection's one session, outside its turns. Throws BrokerUnavailable. */
  session(opener: SessionOpener, connection: Credentialed): Promise<BrokerSession>;
  /** Finishes work in progress at the connections of these shards, and closes them. */
  leave(shards: readonly number[]): Promise<void>;
  /** Drops the connections of all other shards: they belong, or belonged in between, to another trader. */
  keepOnly(shards: readonly number[]): void;
  close(): Promise<void>;
};

type Credentialed = Pick<TradingConnection, 'id' | 'vendor' | 'sealedCredentials'>;

/** At the present, when the connection is its turn. */
type Work = (present: TradingContext, active: JoinedConnection, worker: ConnectionWorker) => Promise<void>;

export function createConnectionPool(sendersAtOnce = SENDERS_AT_ONCE): ConnectionPool {
  const workers = new Map<BrokerConnectionId, ConnectionWorker>();
  const workerOf = (id: BrokerConnectionId): ConnectionWorker => {
    const worker = workers.get(id) ?? newWorker();
    workers.set(id, worker);
    return worker;
  };
  const lateConnections = createLateConnections();
  const turns = createPoolTurns(sendersAtOnce);
  const leave = (isMeant: (shard: number) => boolean) => {
    turns.drop(isMeant);
    return closeWorkers(workers, isMeant);
  };
  const send: Work = (...one) => cancelAndSend(...one, turns.sends.areAwaited);
  const toVisit = createVisits();
  const together = createTogether();
  /** A worker that is busy, or pauses after a failure, takes no more work, and keeps no turn meanwhile. */
  const at = (context: TradingContext, connection: TradingConnection, work: Work): Promise<void> => {
    const worker = workerOf(connection.id);
    const isIdle = worker.idleUntil !== null && msBetween(context.realNow(), worker.idleUntil) > 0;
    if (worker.busy !== null || isIdle) return Promise.resolve();
    worker.busy = workAt(context, connection, { worker, together, work });
    return worker.busy;
  };
  return {
    async reconcile(context, patienceMs) {
      const { database, lease } = context;
      const open = await listTradingConnections(database, 'with orders at the broker', lease.shards);
      const all = await listTradingConnections(database, 'all', lease.shards);
      const corrected = new Set(await listToCorrect(database, lease.shards));
      const due = [
        ...connectionsDue(context, { open, all, corrected }, workerOf),
        ...(await lateConnections(context)),
      ];
      const dueIds = new Set(due.map(({ id }) => id));
      const idle = all.filter(({ id }) => !dueIds.has(id) && mustKeepAlive(context, workerOf(id)));
      const isKnown = ({ id }: TradingConnection) => workerOf(id).known.health.reconciledSince !== null;
      // A turn begins with a sign of life where one is due.
      await turns.look(Map.groupBy([...due, ...idle], isKnown), patienceMs, (one) =>
        at(context, one, dueIds.has(one.id) ? lookAt : () => Promise.resolve()),
      );
    },
    async act(context, patienceMs, mismatched = new Set()) {
      const { shards } = context.lease;
      const hasMismatch = (id: BrokerConnectionId) =>
        mismatched.has(id) || workers.get(id)?.known.health.hasOversizedStops === true;
      const someMismatch = mismatched.size > 0 || [...workers.keys()].some(hasMismatch);
      const toSend = await listByTurn(context);
      const open = await listTradingConnections(context.database, 'with orders at the broker', shards);
      const all = someMismatch ? await listTradingConnections(context.database, 'all', shards) : [];
      const withMismatch = all.filter(({ id }) => hasMismatch(id));
      const connections = connectionsToAct(toSend, await toVisit(context, open, workerOf), withMismatch);
      const ready = connections.filter(({ id }) => !turns.awaitsLook(id));
      await turns.sends.take(ready, patienceMs, (connection) => at(context, connection, send));
    },
    session: (opener, connection) => sessionOf(opener, connection, workerOf(connection.id)),
    leave: (shards) => leave((shard) => shards.includes(shard)),
    keepOnly(shards) {
      const kept = new Set(shards);
      turns.drop((shard) => !kept.has(shard));
      for (const [id, worker] of workers) {
        if (kept.has(shardOf(id))) continue;
        dropSession(worker);
        workers.delete(id);
      }
    },
    close: () => leave(() => true),
  };
}

/** A look waits for the vendor's pacing most of its time, and must keep no order waiting. */
function createPoolTurns(sendersAtOnce: number) {
  const sends = createTurns(() => sendersAtOnce);
  // Of an account that is not known since a gap nothing may be sent: its look gives way to nobody's orders.
  const firstLooks = createTurns(() => LOOKS_AT_ONCE);
  const looks = createTurns(() => (sends.areAwaited() ? LOOKS_WHILE_ORDERS_WAIT : LOOKS_AT_ONCE));
  return {
    sends,
    async look(
      byKnown: ReadonlyMap<boolean, readonly TradingConnection[]>,
      patienceMs: number,
      work: (one: TradingConnection) => Promise<void>,
    ) {
      await Promise.all([
        firstLooks.take(byKnown.get(false) ?? [], patienceMs, work),
        looks.take(byKnown.get(true) ?? [], patienceMs, work),
      ]);
    },
    /** It is sent for after its look. */
    awaitsLook: (id: BrokerConnectionId) => firstLooks.awaits(id) || looks.awaits(id),
    drop(isMeant: (shard: number) => boolean) {
      for (const turns of [sends, firstLooks, looks]) turns.drop((id) => isMeant(shardOf(id)));
    },
  };
}

type Listed = {
  /** With orders at the broker. */
  readonly open: readonly TradingConnection[];
  readonly all: readonly TradingConnection[];
  /** Whose books are to be corrected: no stream tells of that. */
  readonly corrected: ReadonlySet<BrokerConnectionId>;
};

function connectionsDue(
  context: TradingContext,
  { open, all, corrected }: Listed,
  workerOf: (id: BrokerConnectionId) => ConnectionWorker,
): readonly TradingConnection[] {
  const openIds = new Set(open.map(({ id }) => id));
  return connectionsToReconcile(open, all, ({ id, vendor, isUnsettled }) => {
    const worker = workerOf(id);
    const { orders } = worker.look;
    // Written since the last look.
    const isNew = isUnsettled || (orders === 'none' && openIds.has(id));
    const broker = findBrokerOf(context.brokers, vendor);
    // Without one the look fails, and holds up no other connection.
    if (broker === undefined) return true;
    if (corrected.has(id)) worker.lookedIn = null;
    return isLookNow(context, broker, worker, isNew ? 'unresolved' : orders);
  });
}

async function closeWorkers(
  workers: Map<BrokerConnectionId, ConnectionWorker>,
  isMeant: (shard: number) => boolean,
): Promise<void> {
  const meant = [...workers].filter(([id]) => isMeant(shardOf(id)));
  await Promise.all(meant.map(([, { busy }]) => busy));
  await Promise.all(meant.map(([, worker]) => dropSession(worker)?.close()));
  for (const [id] of meant) workers.delete(id);
}

/** Never throws: a failure is recorded, and only this worker pauses for a while. */
async function workAt(
  context: TradingContext,
  connection: TradingConnection,
  {
    worker,
    together,
    work,
  }: { readonly worker: ConnectionWorker; readonly together: Together; readonly work: Work },
): Promise<void> {
  try {
    const session = listenTo(await sessionOf(context, connection, worker), connection.accountId, worker);
    await keepAlive(session, worker, context);
    const active = {
      connection,
      session,
      known: worker.known,
      broker: brokerOf(context.brokers, connection.vendor),
      together,
    };
    await work(await context.atPresent(), active, worker);
  } catch (error) {
    noteProblem(context, `broker connection ${connection.id}`, error, failingConnection(connection, error));
    await noteGap(context, connection, { known: worker.known, session: worker.session, error }).catch(
      (again: unknown) =>
        noteProblem(
          context,
          `session state of ${connection.id}`,
          again,
          failingConnection(connection, again),
        ),
    );
    const status = worker.session?.sessionState().status ?? null;
    // A lease that ran out says nothing about the broker: whoever holds it next looks at once.
    const isOurs = !(error instanceof LeaseLost);
    worker.idleUntil = isOurs ? wallAfter(context.realNow(), idleAfterFailure(status)) : null;
    if (!keepsSession(status)) dropSession(worker);
  } finally {
    worker.busy = null;
  }
}

async function lookAt(
  earlier: TradingContext,
  active: JoinedConnection,
  worker: ConnectionWorker,
): Promise<void> {
  const context = await earlier.atPresent();
  if (!(await hasOpening(context, active))) return;
  const lookedIn = active.session.streamStretch?.() ?? null;
  // Before the requests: stream news that arrives during them may be newer than their answers.
  worker.look = { ...worker.look, news: NO_NEWS };
  await reconcile(context, active);
  await applyAdjustments(context, active);
  await checkCash(context, active);
  const orders = await ordersAtBroker(context.database, active.connection.id);
  worker.look = { ...worker.look, lookedAt: context.realNow(), orders };
  worker.lookedIn = lookedIn;
  const hasOversizedStops = (await findOversizedStops(context, active)).size > 0;
  worker.known.health = { ...worker.known.health, hasOversizedStops };
  await saveOrderIncidents(context, active);
  await saveAccountRestrictions(context, active);
  if (active.connection.isUnsettled) await settleAfterRestore(context, active);
  // The gap is over at the end of the look: what was decided during it did not know the account.
  await noteReconciled(await context.atPresent(), active.connection, active);
}

async function cancelAndSend(
  context: TradingContext,
  active: JoinedConnection,
  worker: ConnectionWorker,
  areOthersWaiting: () => boolean,
): Promise<void> {
  const { broker } = active;
  const reset = broker.resetAt(brokerNow(context, broker));
  if (reset !== null) {
    await noteReset(context, active.connection, worker.known, reset);
    return;
  }
  if (!(await hasOpening(context, active))) return;
  const everyMs = broker.limits.listsEveryMs ?? 0;
  if (booksNews(lastLook(worker, context), everyMs)) await bookFromStream(context, active, worker);
  const mustLook = looksFirst(lastLook(worker, context), everyMs);
  if (mustLook && isLookNow(context, broker, worker)) await lookAt(context, active, worker);
  // Nothing is sent on data from before a gap.
  if (!lastLook(worker, context).isReconciled || active.connection.isUnsettled) return;
  const maySendNow = (symbol: Symbol) => maySend(lastLook(worker, context), symbol, everyMs);
  const { asked, stops } = await cancelUnwanted(context, active);
  if (asked > 0) worker.look = { ...worker.look, orders: 'unresolved' };
  // An exit may wait only for the confirmation that its protective stop is cancelled.
  if (stops > 0) await confirmStops(context, active, worker);
  const first = await sendOrders(context, active, maySendNow);
  let { sent, isShut } = first;
  // An exit blocked only by its stop has the stop cancelled now, and follows once that is confirmed.
  if (first.waitsForStop && !isShut) {
    const gone = await cancelUnwanted(context, active);
    if (gone.stops > 0) {
      await confirmStops(context, active, worker);
      const again = await sendOrders(context, active, maySendNow);
      sent += again.sent;
      isShut = again.isShut;
    }
  }
  if (sent > 0) worker.look = { ...worker.look, orders: 'unresolved' };
  if (asked - stops + sent > 0 || worker.known.health.heldAt === null) {
    // Where orders of others wait to be sent, the look that follows takes a turn of its own.
    if (isLookNow(context, broker, worker) && !areOthersWaiting()) await lookAt(context, active, worker);
    else if (worker.known.health.heldAt === null) await readPositions(context, active);
  }
  if (isShut) worker.idleUntil = wallAfter(context.realNow(), IDLE_MS);
}

async function bookFromStream(
  context: TradingContext,
  active: JoinedConnection,
  worker: ConnectionWorker,
): Promise<void> {
  const booked = await bookNews(context, active, [...worker.look.news.unread.values()]);
  worker.look = { ...worker.look, news: afterBooking(worker.look.news, booked) };
}

/** In the list where it may be read now, or else each by its own id, which the broker limits less. */
async function confirmStops(
  context: TradingContext,
  active: JoinedConnection,
  worker: ConnectionWorker,
): Promise<void> {
  if (isLookNow(context, active.broker, worker)) await lookAt(context, active, worker);
  else await confirmCancellations(context, active);
}

/** Opened once for everyone who needs it, and again when the client has signed in once more. */
async function sessionOf(
  opener: SessionOpener,
  connection: Credentialed,
  worker: ConnectionWorker,
): Promise<BrokerSession> {
  const { sealedCredentials } = connection;
  if (worker.openedWith !== null && !worker.openedWith.equals(sealedCredentials)) dropSession(worker);
  if (worker.session !== null) return worker.session;
  const open = async () => {
    const session = valueOf('session', await openSessionOf(opener, connection));
    worker.session = session;
    worker.openedWith = sealedCredentials;
    return session;
  };
  worker.opening ??= open().finally(() => {
    worker.opening = null;
  });
  return worker.opening;
}

const LOOKS_AT_ONCE = 64;
/** They take from the processors what the orders of a close need. */
const LOOKS_WHILE_ORDERS_WAIT = 8;
const SENDERS_AT_ONCE = 32;

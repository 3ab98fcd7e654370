// One worker per broker connection: its session, and one job at a time. A slow or unreachable broker delays only its own
// connection; work that exceeds the tick's patience continues during the next ticks.
import {
  connectionsToAct,
  connectionsToReconcile,
  isKeepAliveDue,
  keepsSession,
  IDLE_MS,
  idleAfterFailure,
} from '#engine/execution/connection/connection-turns.ts';
import {
  afterBooking,
  afterNews,
  booksNews,
  isLookDue,
  type LastLook,
  looksFirst,
  maySend,
  NO_NEWS,
} from '#engine/execution/connection/what-to-ask.ts';
import type { Broker, BrokerExecution, BrokerSession } from '#ports/broker.ts';
import { brokerOf, findBrokerOf, openSessionOf, type SessionOpener } from '#ports/brokers.ts';
import {
  listTradingConnections,
  ordersAtBroker,
  type TradingConnection,
} from '#records/brokerage/trading-connections.ts';
import { LeaseLost } from '../lease-lost.ts';
import { shardOf } from '#records/operations/trading-shards.ts';
import type { BrokerAccountId, BrokerConnectionId, Symbol } from '#units/identifiers.ts';
import { msBetween, type WallInstant, wallAfter } from '#units/wall-instant.ts';
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
import { saveAccountRestrictions } from '../incidents/save-account-restrictions.ts';
import { saveOrderIncidents } from '../incidents/save-order-incidents.ts';
import { failingConnection } from '../incidents/failing-connection.ts';
import { noteGap, noteReconciled, noteReset } from './save-session.ts';
import { type ActiveConnection, type KnownConnection, newConnection } from './connection.ts';
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
  /** Drops the connections of all other shards: they belong to another trader. */
  keepOnly(shards: readonly number[]): void;
  close(): Promise<void>;
};

type Credentialed = Pick<TradingConnection, 'id' | 'vendor' | 'sealedCredentials'>;

type ConnectionWorker = {
  session: BrokerSession | null;
  opening: Promise<BrokerSession> | null;
  /** The sealed credentials that its session was opened with. */
  openedWith: Buffer | null;
  busy: Promise<void> | null;
  look: Omit<LastLook<BrokerExecution>, 'isReconciled'>;
  keptAliveAt: WallInstant | null;
  /** After a failure no request is made before this time. */
  idleUntil: WallInstant | null;
  stopNews: (() => void) | null;
  readonly known: KnownConnection;
};

/** At the present, when the connection is its turn. */
type Work = (present: TradingContext, active: ActiveConnection, worker: ConnectionWorker) => Promise<void>;

export function createConnectionPool(): ConnectionPool {
  const workers = new Map<BrokerConnectionId, ConnectionWorker>();
  const workerOf = (id: BrokerConnectionId): ConnectionWorker => {
    let worker = workers.get(id);
    if (worker === undefined) {
      worker = {
        session: null,
        opening: null,
        openedWith: null,
        busy: null,
        look: NEVER_LOOKED,
        keptAliveAt: null,
        idleUntil: null,
        stopNews: null,
        known: newConnection(),
      };
      workers.set(id, worker);
    }
    return worker;
  };
  const lateConnections = createLateConnections();
  /** A worker that is busy, or pauses after a failure, takes no more work. */
  const at = (context: TradingContext, connection: TradingConnection, work: Work): Promise<void> => {
    const worker = workerOf(connection.id);
    if (worker.busy !== null) return worker.busy;
    if (worker.idleUntil !== null && msBetween(context.realNow(), worker.idleUntil) > 0)
      return Promise.resolve();
    worker.busy = workAt(context, connection, worker, work);
    return worker.busy;
  };
  return {
    async reconcile(context, patienceMs) {
      const { database, lease } = context;
      const open = await listTradingConnections(database, 'with orders at the broker', lease.shards);
      const all = await listTradingConnections(database, 'all', lease.shards);
      const openIds = new Set(open.map(({ id }) => id));
      const connections = connectionsToReconcile(open, all, ({ id, vendor, isUnsettled }) => {
        const worker = workerOf(id);
        const { orders } = worker.look;
        // Written since the last look.
        const isNew = isUnsettled || (orders === 'none' && openIds.has(id));
        const broker = findBrokerOf(context.brokers, vendor);
        // Without one the look fails, and holds up no other connection.
        return broker === undefined || isLookNow(context, broker, worker, isNew ? 'unresolved' : orders);
      });
      const late = await lateConnections(context);
      await patiently(patienceMs, [...connections, ...late], (connection) => at(context, connection, lookAt));
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
      const connections = connectionsToAct(toSend, open, withMismatch);
      await patiently(patienceMs, connections, (connection) => at(context, connection, cancelAndSend));
    },
    session: (opener, connection) => sessionOf(opener, connection, workerOf(connection.id)),
    leave: (shards) => closeWorkers(workers, (shard) => shards.includes(shard)),
    keepOnly(shards) {
      const kept = new Set(shards);
      for (const [id, worker] of workers) {
        if (kept.has(shardOf(id))) continue;
        dropSession(worker);
        workers.delete(id);
      }
    },
    close: () => closeWorkers(workers, () => true),
  };
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
  worker: ConnectionWorker,
  work: Work,
): Promise<void> {
  try {
    const session = listenTo(await sessionOf(context, connection, worker), connection.accountId, worker);
    await keepAlive(session, worker, context.realNow());
    const active = {
      connection,
      session,
      known: worker.known,
      broker: brokerOf(context.brokers, connection.vendor),
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
  active: ActiveConnection,
  worker: ConnectionWorker,
): Promise<void> {
  const context = await earlier.atPresent();
  if (!(await hasOpening(context, active))) return;
  // Before the requests: stream news that arrives during them may be newer than their answers.
  worker.look = { ...worker.look, news: NO_NEWS };
  await reconcile(context, active);
  await applyAdjustments(context, active);
  await checkCash(context, active);
  const orders = await ordersAtBroker(context.database, active.connection.id);
  worker.look = { ...worker.look, lookedAt: context.realNow(), orders };
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
  active: ActiveConnection,
  worker: ConnectionWorker,
): Promise<void> {
  const { broker } = active;
  const reset = broker.resetAt(brokerNow(context, broker));
  if (reset !== null) {
    await noteReset(context, active.connection, worker.known, reset);
    return;
  }
  if (!(await hasOpening(context, active))) return;
  const everyMs = broker.limits.listsEveryMs ?? 0;
  if (booksNews(lastLook(worker), everyMs)) await bookFromStream(context, active, worker);
  const mustLook = looksFirst(lastLook(worker), everyMs);
  if (mustLook && isLookNow(context, broker, worker)) await lookAt(context, active, worker);
  // Nothing is sent on data from before a gap.
  if (!lastLook(worker).isReconciled || active.connection.isUnsettled) return;
  const maySendNow = (symbol: Symbol) => maySend(lastLook(worker), symbol, everyMs);
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
    if (isLookNow(context, broker, worker)) await lookAt(context, active, worker);
    else if (worker.known.health.heldAt === null) await readPositions(context, active);
  }
  if (isShut) worker.idleUntil = wallAfter(context.realNow(), IDLE_MS);
}

async function bookFromStream(
  context: TradingContext,
  active: ActiveConnection,
  worker: ConnectionWorker,
): Promise<void> {
  const booked = await bookNews(context, active, [...worker.look.news.unread.values()]);
  worker.look = { ...worker.look, news: afterBooking(worker.look.news, booked) };
}

/** In the list where it may be read now, or else each by its own id, which the broker limits less. */
async function confirmStops(
  context: TradingContext,
  active: ActiveConnection,
  worker: ConnectionWorker,
): Promise<void> {
  if (isLookNow(context, active.broker, worker)) await lookAt(context, active, worker);
  else await confirmCancellations(context, active);
}

function isLookNow(
  { realNow }: TradingContext,
  broker: Broker,
  worker: ConnectionWorker,
  orders: LastLook['orders'] = 'unresolved',
): boolean {
  return isLookDue({ ...lastLook(worker), orders }, realNow(), broker.limits.listsEveryMs ?? 0);
}

function lastLook({ look, known }: ConnectionWorker): LastLook<BrokerExecution> {
  return { ...look, isReconciled: known.health.reconciledSince !== null };
}

const NEVER_LOOKED: ConnectionWorker['look'] = { lookedAt: null, news: NO_NEWS, orders: 'none' };

/** The listener neither requests nor writes: the connection's next turn does. */
function listenTo(
  session: BrokerSession,
  accountId: BrokerAccountId,
  worker: ConnectionWorker,
): BrokerSession {
  if (worker.stopNews !== null) return session;
  const stop = session.onNews?.((news) => {
    const execution = news.kind === 'execution' && news.accountId === accountId ? news.execution : undefined;
    worker.look = { ...worker.look, news: afterNews(worker.look.news, execution) };
  });
  worker.stopNews = stop ?? null;
  return session;
}

/** Drops the session without ending it at the broker, and returns it. */
function dropSession(worker: ConnectionWorker): BrokerSession | null {
  const { session } = worker;
  worker.stopNews?.();
  worker.stopNews = null;
  worker.look = { ...worker.look, news: NO_NEWS };
  worker.session = null;
  worker.openedWith = null;
  return session;
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

async function keepAlive(session: BrokerSession, worker: ConnectionWorker, now: WallInstant): Promise<void> {
  worker.keptAliveAt ??= now;
  if (!isKeepAliveDue(worker.keptAliveAt, now)) return;
  worker.keptAliveAt = now;
  valueOf('keep-alive', await session.keepAlive());
}

/** Runs all, a few at a time, and stops waiting (not working) when patience ends. */
async function patiently<Item>(
  patienceMs: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const runner = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  const all = Promise.all(Array.from({ length: Math.min(AT_ONCE, queue.length) }, runner));
  if (patienceMs === Number.POSITIVE_INFINITY) {
    await all;
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([all, enough]);
  clearTimeout(timer);
}

const AT_ONCE = 8;

// One desk per broker connection: its session, and one thing at a time. A broker that is slow or away holds up its own
// connection only; work that outlasts the tick's patience goes on beside the next ones.
import type { BrokerSession } from '#ports/broker.ts';
import { listTradingConnections, type TradingConnection } from '#records/brokerage/trading-connections.ts';
import { shardOf } from '#records/operations/trading-shards.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { type Instant, SECOND_MS } from '#units/instant.ts';
import { applyCorrections } from '../adjustments/apply-corrections.ts';
import { valueOf } from './broker-unavailable.ts';
import { cancelUnwanted, type Cancellations } from '../execution/cancel-orders.ts';
import { stopsBeyondHoldings } from '../execution/oversized-stops.ts';
import { sendOrders } from '../execution/send-orders.ts';
import { newGuard, noteGap, noteReconciled, noteReset, type SessionGuard } from './session-health.ts';
import type { Desk } from './connection.ts';
import { takeFacts } from '../reconciliation/reconcile-orders.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

export type BrokerDesks = {
  /** Books what happened at the broker, for every connection that could have news. */
  takeFacts(context: TradingContext, patienceMs: number): Promise<void>;
  /** Cancels what is not wanted, sends what is, and books what came of it at once. */
  act(
    context: TradingContext,
    patienceMs: number,
    /** Connections with something that rests at the broker and should not any more. */
    astray?: ReadonlySet<BrokerConnectionId>,
  ): Promise<void>;
  /** Finishes what is under way at the desks of these shards, and closes them. */
  leave(shards: readonly number[]): Promise<void>;
  /** Forgets the desks of all other shards: they are another trader's. */
  keepOnly(shards: readonly number[]): void;
  close(): Promise<void>;
};

type Counter = {
  session: BrokerSession | null;
  busy: Promise<void> | null;
  lookedAt: number;
  keptAliveAt: number;
  /** After a failure nothing is asked before this, on the real clock. */
  restsUntil: number;
  /** The stream told of something that no look has asked about yet. */
  hasNews: boolean;
  stopNews: (() => void) | null;
  readonly cancellations: Cancellations;
  readonly guard: SessionGuard;
};

type Work = (desk: Desk, counter: Counter) => Promise<void>;

export function createBrokerDesks(): BrokerDesks {
  const counters = new Map<BrokerConnectionId, Counter>();
  const counterOf = (id: BrokerConnectionId): Counter => {
    let counter = counters.get(id);
    if (counter === undefined) {
      const cancellations: Cancellations = new Map();
      counter = {
        session: null,
        busy: null,
        lookedAt: 0,
        keptAliveAt: 0,
        restsUntil: 0,
        hasNews: false,
        stopNews: null,
        cancellations,
        guard: newGuard(),
      };
      counters.set(id, counter);
    }
    return counter;
  };
  /** Nothing happens at a desk that is busy or rests. */
  const at = (context: TradingContext, connection: TradingConnection, work: Work): Promise<void> => {
    const counter = counterOf(connection.id);
    if (counter.busy !== null) return counter.busy;
    if (context.realNow() < counter.restsUntil) return Promise.resolve();
    counter.busy = workAt(context, connection, counter, work);
    return counter.busy;
  };
  return {
    async takeFacts(context, patienceMs) {
      const connections = await connectionsWithNews(context, (id) => isDue(counterOf(id), context.realNow()));
      await patiently(patienceMs, connections, (connection) =>
        at(context, connection, (desk, counter) => lookAt(context, desk, counter)),
      );
    },
    async act(context, patienceMs, astray = new Set()) {
      const { shards } = context.lease;
      const isAstray = (id: BrokerConnectionId) =>
        astray.has(id) || counters.get(id)?.guard.stopsExceedHoldings === true;
      const someAstray = astray.size > 0 || [...counters.keys()].some(isAstray);
      const toSend = await listTradingConnections(context.database, 'with orders to send', shards);
      const open = await listTradingConnections(context.database, 'with orders at the broker', shards);
      const sending = new Set(toSend.map(({ id }) => id));
      const openIds = new Set(open.map(({ id }) => id));
      const resting = someAstray ? await listTradingConnections(context.database, 'all', shards) : [];
      const connections = [
        ...toSend,
        ...open.filter(({ id }) => !sending.has(id)),
        ...resting.filter(({ id }) => !sending.has(id) && !openIds.has(id) && isAstray(id)),
      ];
      await patiently(patienceMs, connections, (connection) =>
        at(context, connection, (desk, counter) => cancelAndSend(context, desk, counter)),
      );
    },
    leave: (shards) => closeDesks(counters, (shard) => shards.includes(shard)),
    keepOnly(shards) {
      const kept = new Set(shards);
      for (const [id, counter] of counters) {
        if (kept.has(shardOf(id))) continue;
        dropSession(counter);
        counters.delete(id);
      }
    },
    close: () => closeDesks(counters, () => true),
  };
}

async function closeDesks(
  counters: Map<BrokerConnectionId, Counter>,
  isMeant: (shard: number) => boolean,
): Promise<void> {
  const meant = [...counters].filter(([id]) => isMeant(shardOf(id)));
  await Promise.all(meant.map(([, { busy }]) => busy));
  await Promise.all(meant.map(([, counter]) => dropSession(counter)?.close()));
  for (const [id] of meant) counters.delete(id);
}

/** Never throws: what fails is noted, and this desk alone rests for a while. */
async function workAt(
  context: TradingContext,
  connection: TradingConnection,
  counter: Counter,
  work: Work,
): Promise<void> {
  try {
    counter.session ??= listenTo(await openSession(context, connection), counter);
    const { session } = counter;
    await keepAlive(session, counter, context.realNow());
    await work({ connection, session, guard: counter.guard, limits: context.broker.limits }, counter);
  } catch (error) {
    noteProblem(context, `broker connection ${connection.id}`, error);
    await noteGap(context, connection, { guard: counter.guard, session: counter.session, error }).catch(
      (again: unknown) => noteProblem(context, `session state of ${connection.id}`, again),
    );
    const status = counter.session?.sessionState().status;
    counter.restsUntil = context.realNow() + (status === 'read_only' ? READ_ONLY_REST_MS : REST_MS);
    // One that yielded to another program goes on asking without taking the session back; a new one would take it.
    if (status !== 'connected' && status !== 'competing') dropSession(counter);
  } finally {
    counter.busy = null;
  }
}

async function lookAt(context: TradingContext, desk: Desk, counter: Counter): Promise<void> {
  // Before the questions: what the stream tells while they are asked may be newer than their answers.
  counter.hasNews = false;
  await takeFacts(context, desk);
  await applyCorrections(context, desk);
  counter.lookedAt = context.realNow();
  counter.guard.stopsExceedHoldings = (await stopsBeyondHoldings(context, desk)).size > 0;
  await noteReconciled(context, desk.connection, desk);
}

async function cancelAndSend(context: TradingContext, desk: Desk, counter: Counter): Promise<void> {
  const reset = context.broker.resetAt(context.now);
  if (reset !== null) {
    await noteReset(context, desk.connection, counter.guard, reset);
    return;
  }
  // Nothing is sent on what was known before a gap.
  if (counter.guard.upSince === null) await lookAt(context, desk, counter);
  const { asked, stops } = await cancelUnwanted(context, desk, counter.cancellations);
  // An exit may wait for nothing but the confirmation that its protective stop is gone.
  if (stops > 0) await lookAt(context, desk, counter);
  const first = await sendOrders(context, desk);
  let { sent, isShut } = first;
  // What nothing but a stop holds up has it cancelled only now, and follows once that is confirmed.
  if (first.waitsForStop && !isShut) {
    const gone = await cancelUnwanted(context, desk, counter.cancellations);
    if (gone.stops > 0) {
      await lookAt(context, desk, counter);
      const again = await sendOrders(context, desk);
      sent += again.sent;
      isShut = again.isShut;
    }
  }
  if (asked - stops + sent > 0 || counter.guard.heldAt === 0) await lookAt(context, desk, counter);
  if (isShut) counter.restsUntil = context.realNow() + REST_MS;
}

/** News is no fact: it only brings forward the look that reads. Its listener neither asks nor writes anything. */
function listenTo(session: BrokerSession, counter: Counter): BrokerSession {
  const stop = session.onNews?.(({ kind }) => {
    if (kind !== 'quote') counter.hasNews = true;
  });
  counter.stopNews = stop ?? null;
  return session;
}

/** Forgets the session without ending it at the broker, and answers it. */
function dropSession(counter: Counter): BrokerSession | null {
  const { session } = counter;
  counter.stopNews?.();
  counter.stopNews = null;
  counter.hasNews = false;
  counter.session = null;
  return session;
}

/** However many frames come, one look answers all that came since the last. */
function isDue({ lookedAt, hasNews }: Counter, now: Instant): boolean {
  return now - lookedAt >= (hasNews ? LOOK_AT_NEWS_MS : LOOK_ANYWAY_MS);
}

/**
 * Those with an order at the broker, also where every deployment has ended; the others when the stream told of something
 * there, and once in a while.
 */
async function connectionsWithNews(
  { database, lease }: TradingContext,
  isLookDue: (id: BrokerConnectionId) => boolean,
): Promise<readonly TradingConnection[]> {
  const open = await listTradingConnections(database, 'with orders at the broker', lease.shards);
  const openIds = new Set(open.map(({ id }) => id));
  const others = await listTradingConnections(database, 'all', lease.shards);
  return [...open, ...others.filter(({ id }) => !openIds.has(id) && isLookDue(id))];
}

async function openSession(context: TradingContext, connection: TradingConnection): Promise<BrokerSession> {
  const credentials = context.openCredentials(connection.id, connection.sealedCredentials);
  return valueOf('session', await context.broker.openSession(credentials));
}

async function keepAlive(session: BrokerSession, counter: Counter, now: Instant): Promise<void> {
  if (counter.keptAliveAt === 0) counter.keptAliveAt = now;
  if (now - counter.keptAliveAt < KEEP_ALIVE_MS) return;
  counter.keptAliveAt = now;
  valueOf('keep-alive', await session.keepAlive());
}

/** Runs all, a few at a time, and stops waiting (not working) when patience ends. */
async function patiently<Item>(
  patienceMs: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  const all = Promise.all(Array.from({ length: Math.min(AT_ONCE, queue.length) }, worker));
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
const KEEP_ALIVE_MS = 55 * SECOND_MS;
/** Also without orders of ours: the person may trade by hand, and permission may end. */
const LOOK_ANYWAY_MS = 30 * SECOND_MS;
/** As seldom as the broker lets its lists be asked for. */
const LOOK_AT_NEWS_MS = 5 * SECOND_MS;
const REST_MS = 5 * SECOND_MS;
/** A permission to trade comes by a person's hand. */
const READ_ONLY_REST_MS = 30 * SECOND_MS;

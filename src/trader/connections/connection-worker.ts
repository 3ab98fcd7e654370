// What a trader keeps of one broker connection at work, and what follows from it: whether to look, and whether to keep its session alive.
import { isKeepAliveDue } from '#engine/execution/connection/connection-turns.ts';
import { afterNews, isLookDue, type LastLook, NO_NEWS } from '#engine/execution/connection/what-to-ask.ts';
import type { Broker, BrokerExecution, BrokerSession } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import type { TradingContext } from '../trading-context.ts';
import { valueOf } from './broker-unavailable.ts';
import { type KnownConnection, newConnection } from './connection.ts';
import { waitsForLooks } from './waits-for-looks.ts';

export type ConnectionWorker = {
  session: BrokerSession | null;
  opening: Promise<BrokerSession> | null;
  /** The sealed credentials that its session was opened with. */
  openedWith: Buffer | null;
  busy: Promise<void> | null;
  look: Pick<LastLook<BrokerExecution>, 'lookedAt' | 'news' | 'orders'>;
  /** The stretch of the stream in which the last look began; null where it was not heard then. */
  lookedIn: number | null;
  keptAliveAt: WallInstant | null;
  /** After a failure no request is made before this time. */
  idleUntil: WallInstant | null;
  stopNews: (() => void) | null;
  readonly known: KnownConnection;
};

export function newWorker(): ConnectionWorker {
  return {
    session: null,
    opening: null,
    openedWith: null,
    busy: null,
    look: { lookedAt: null, news: NO_NEWS, orders: 'none' },
    lookedIn: null,
    keptAliveAt: null,
    idleUntil: null,
    stopNews: null,
    known: newConnection(),
  };
}

export function isLookNow(
  context: TradingContext,
  broker: Broker,
  worker: ConnectionWorker,
  orders: LastLook['orders'] = 'unresolved',
): boolean {
  const look = { ...lastLook(worker, context), orders };
  return isLookDue(look, context.realNow(), broker.limits.listsEveryMs ?? 0);
}

export function lastLook(worker: ConnectionWorker, { now }: TradingContext): LastLook<BrokerExecution> {
  const { look, known } = worker;
  const isReconciled = known.health.reconciledSince !== null;
  return { ...look, isReconciled, isStreamed: isStreamed(worker) && !waitsForLooks(known, now) };
}

/** Since before the last look. */
function isStreamed({ session, lookedIn }: ConnectionWorker): boolean {
  return lookedIn !== null && session?.streamStretch?.() === lookedIn;
}

/** The listener neither requests nor writes: the connection's next turn does. */
export function listenTo(
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
export function dropSession(worker: ConnectionWorker): BrokerSession | null {
  const { session } = worker;
  worker.lookedIn = null;
  worker.stopNews?.();
  worker.stopNews = null;
  worker.look = { ...worker.look, news: NO_NEWS };
  worker.session = null;
  worker.openedWith = null;
  return session;
}

export function mustKeepAlive({ realNow }: TradingContext, worker: ConnectionWorker): boolean {
  const { session, keptAliveAt, busy } = worker;
  if (session === null || keptAliveAt === null || busy !== null) return false;
  return isKeepAliveDue(keptAliveAt, realNow(), { isStreamed: isStreamed(worker) });
}

export async function keepAlive(
  session: BrokerSession,
  worker: ConnectionWorker,
  { realNow }: TradingContext,
): Promise<void> {
  const now = realNow();
  worker.keptAliveAt ??= now;
  if (!isKeepAliveDue(worker.keptAliveAt, now, { isStreamed: isStreamed(worker) })) return;
  worker.keptAliveAt = now;
  valueOf('keep-alive', await session.keepAlive());
}

// Of the connections with orders at the broker, those that are visited in this round: where there may be anything to do. Now and then all
// of them are.
import { listToCheck, type TradingConnection } from '#records/brokerage/trading-connections.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import type { TradingContext } from '../trading-context.ts';
import type { ConnectionWorker } from './connection-worker.ts';

type Visits = (
  context: TradingContext,
  open: readonly TradingConnection[],
  workerOf: (id: BrokerConnectionId) => ConnectionWorker,
) => Promise<readonly TradingConnection[]>;

export function createVisits(): Visits {
  let sweptAt: WallInstant | null = null;
  return async ({ database, brokers, lease: { shards }, realNow }, open, workerOf) => {
    if (open.length === 0) return open;
    const now = realNow();
    const sinceSweep = sweptAt === null ? null : msBetween(sweptAt, now);
    if (sinceSweep === null || sinceSweep < 0 || sinceSweep >= SWEEP_EVERY_MS) {
      sweptAt = now;
      return open;
    }
    const keeping = brokers.flatMap(({ vendor, limits }) => (limits.keepsOrders === undefined ? [] : vendor));
    const toCheck = await listToCheck(database, { shards, keeping });
    return open.filter(({ id }) => toCheck.has(id) || hasUnread(workerOf(id)));
  };
}

/** The stream told of an execution that is not booked, or the lists are to be read again after a gap. */
function hasUnread({ look, known }: ConnectionWorker): boolean {
  return look.news.unread.size > 0 || known.health.reconciledSince === null || known.health.heldAt === null;
}

const SWEEP_EVERY_MS = 30_000;

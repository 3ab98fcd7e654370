import { listTradingConnections, type TradingConnection } from '#records/brokerage/trading-connections.ts';
import { MINUTE_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import type { TradingContext } from '../trading-context.ts';
import { executionsKeptSince } from './broker-clock.ts';

/**
 * The connections whose last deployment has ended, now and then, for as long as the broker keeps its executions: one may be
 * reported late.
 */
export function createLateConnections(): (context: TradingContext) => Promise<readonly TradingConnection[]> {
  let lookedAt: WallInstant | null = null;
  return async (context) => {
    const now = context.realNow();
    if (lookedAt !== null && msBetween(lookedAt, now) < LOOK_EVERY_MS) return [];
    lookedAt = now;
    const { database, brokers, lease } = context;
    const late: TradingConnection[] = [];
    for (const broker of brokers) {
      const ended = { endedSince: executionsKeptSince(context, broker), vendor: broker.vendor };
      late.push(...(await listTradingConnections(database, ended, lease.shards)));
    }
    return late;
  };
}

const LOOK_EVERY_MS = 10 * MINUTE_MS;

import { DAY_MS, type Instant } from '#units/instant.ts';
import { marketInstantOf, type WallInstant, wallAfter, wallInstantOf } from '#units/wall-instant.ts';
import type { TradingContext } from '../trading-context.ts';

type Clocks = Pick<TradingContext, 'broker' | 'now' | 'realNow'>;

/**
 * What the broker's own clock shows: the wall's, or the market's where the broker is a simulation. How late its lists are,
 * its planned interruptions and the days that it keeps executions for are measured on it.
 */
export function brokerNow({ broker, now, realNow }: Clocks): WallInstant {
  return broker.keepsMarketTime ? wallInstantOf(now) : realNow();
}

/** From when on the broker still has executions. */
export function executionsKeptSince(clocks: Clocks): Instant {
  const { executionHistoryDays } = clocks.broker.limits;
  return marketInstantOf(wallAfter(brokerNow(clocks), -executionHistoryDays * DAY_MS));
}

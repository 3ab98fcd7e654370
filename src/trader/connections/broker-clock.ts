import type { Broker } from '#ports/broker.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import { marketInstantOf, type WallInstant, wallAfter, wallInstantOf } from '#units/wall-instant.ts';
import type { TradingContext } from '../trading-context.ts';

type Clocks = Pick<TradingContext, 'now' | 'realNow'>;
type Keeper = Pick<Broker, 'keepsMarketTime' | 'limits'>;

/**
 * What the broker's own clock shows: the wall's, or the market's where the broker is a simulation. How late its lists are,
 * its planned interruptions and the days that it keeps executions for are measured on it.
 */
export function brokerNow({ now, realNow }: Clocks, broker: Pick<Keeper, 'keepsMarketTime'>): WallInstant {
  return broker.keepsMarketTime ? wallInstantOf(now) : realNow();
}

/** From when on the broker still has executions. */
export function executionsKeptSince(clocks: Clocks, broker: Keeper): Instant {
  const { executionHistoryDays } = broker.limits;
  return marketInstantOf(wallAfter(brokerNow(clocks, broker), -executionHistoryDays * DAY_MS));
}

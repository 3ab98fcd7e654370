import { RESET_IS_NEAR_MS, type StopTerms } from '#engine/execution/stops/protective-stops.ts';
import type { Broker } from '#ports/broker.ts';
import { wallAfter } from '#units/wall-instant.ts';
import { brokerNow } from '../connections/broker-clock.ts';
import type { TradingContext } from '../trading-context.ts';

/** The instruments, and what the broker takes stops for now. */
export function stopTerms(
  context: Pick<TradingContext, 'instruments' | 'now' | 'realNow'>,
  broker: Pick<Broker, 'resetAt' | 'limits' | 'keepsMarketTime'>,
): StopTerms {
  const { instruments } = context;
  const isResetNear = broker.resetAt(wallAfter(brokerNow(context, broker), RESET_IS_NEAR_MS)) !== null;
  return { instruments, kinds: broker.limits.stopKinds ?? [], isResetNear };
}

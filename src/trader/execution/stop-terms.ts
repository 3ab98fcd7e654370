import type { StopTerms } from '#engine/execution/stops/protective-stops.ts';
import type { TradingContext } from '../trading-context.ts';

/** The instruments, and the kinds of them for which the broker takes stops. */
export function stopTerms({
  instruments,
  broker,
}: Pick<TradingContext, 'instruments' | 'broker'>): StopTerms {
  return { instruments, kinds: broker.limits.stopKinds ?? [] };
}

import { splittingSymbols } from '#engine/end-of-day/splitting-symbols.ts';
import type { StopTerms } from '#engine/execution/stops/protective-stops.ts';
import type { TradingContext } from '../trading-context.ts';

/** The instruments for which the broker accepts protective stops now. */
export function stopTerms({
  instruments,
  broker,
  actions,
  now,
}: Pick<TradingContext, 'instruments' | 'broker' | 'actions' | 'now'>): StopTerms {
  const splitting = splittingSymbols(actions, instruments, now);
  return { instruments, kinds: broker.limits.stopKinds ?? [], splitting };
}

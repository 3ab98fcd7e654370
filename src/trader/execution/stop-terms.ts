import { splittingSymbols } from '#engine/end-of-day/splitting-symbols.ts';
import type { StopTerms } from '#engine/execution/stops/protective-stops.ts';
import type { TradingContext } from '../trading-context.ts';

/** Limits of the protective stops that can work now: instruments, kinds of stop, and symbols about to split. */
export function stopTerms({
  instruments,
  broker,
  actions,
  now,
}: Pick<TradingContext, 'instruments' | 'broker' | 'actions' | 'now'>): StopTerms {
  const splitting = splittingSymbols(actions, instruments, now);
  return { instruments, kinds: broker.limits.stopKinds ?? [], splitting };
}

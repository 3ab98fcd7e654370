import type { StopTerms } from '#engine/execution/protective-stops.ts';
import type { Symbol } from '#units/identifiers.ts';
import { ratioBetween } from '#engine/market/split-ratio.ts';
import { quotedDays } from '#engine/market-data/validate-quote.ts';
import type { TradingContext } from '../trading-context.ts';

/** Of which instruments the broker keeps protective stops now. */
export function stopTerms(context: TradingContext): StopTerms {
  const { instruments, broker } = context;
  return { instruments, kinds: broker.limits.stopKinds ?? [], splitting: splittingTonight(context) };
}

function splittingTonight({ actions, instruments, now }: TradingContext): Symbol[] {
  const found: Symbol[] = [];
  for (const [symbol, known] of actions) {
    const calendar = instruments.get(symbol)?.calendar;
    if (calendar === undefined || !known.some(({ kind }) => kind === 'split')) continue;
    const [last, next] = quotedDays(calendar, now);
    if (ratioBetween(known, last, next) !== 1) found.push(symbol);
  }
  return found;
}

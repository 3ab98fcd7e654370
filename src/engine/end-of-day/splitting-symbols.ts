import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { Instrument } from '../market/instrument.ts';
import { ratioBetween } from '../market/split-ratio.ts';
import { quotedDays } from '../market-data/validate-quote.ts';

/**
 * Instruments that split between the last session and the next: until that opens, sizes and prices are in different
 * shares.
 */
export function splittingSymbols(
  actions: ReadonlyMap<Symbol, readonly CorporateAction[]>,
  instruments: ReadonlyMap<Symbol, Instrument>,
  now: Instant,
): Symbol[] {
  const found: Symbol[] = [];
  for (const [symbol, known] of actions) {
    const calendar = instruments.get(symbol)?.calendar;
    if (calendar === undefined || !known.some(({ kind }) => kind === 'split')) continue;
    const [last, next] = quotedDays(calendar, now);
    if (ratioBetween(known, last, next) !== 1) found.push(symbol);
  }
  return found;
}

// From the instruments that a strategy reads to those that its orders are placed in: the root of a future becomes the
// contract in front on the day that the orders will trade.
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { nextTradingDay } from '../market/calendar.ts';
import type { TargetWeight } from '../event.ts';
import type { Instrument } from '../market/instrument.ts';
import { KIND_RULES } from '../market/kinds/rules-of.ts';

export type Instruments = ReadonlyMap<Symbol, Instrument>;

/** The instrument that is traded for a symbol after the session of a date. */
export function tradedAfter(symbol: Symbol, date: IsoDate, instruments: Instruments): Symbol {
  const instrument = instruments.get(symbol);
  if (instrument === undefined) return symbol;
  const { tradedOn } = KIND_RULES[instrument.kind];
  return tradedOn(instrument, nextTradingDay(instrument.calendar, date));
}

export function asTraded(
  weights: readonly TargetWeight[],
  date: IsoDate,
  instruments: Instruments,
): TargetWeight[] {
  return weights.map(({ symbol, weight }) => ({ symbol: tradedAfter(symbol, date, instruments), weight }));
}

/** Whether what is held for these weights after the session of a date is another contract than after the one before. */
export function rollsAfter(
  weights: readonly TargetWeight[],
  days: { readonly date: IsoDate; readonly before: IsoDate },
  instruments: Instruments,
): boolean {
  return weights.some(
    ({ symbol, weight }) =>
      weight !== 0 &&
      tradedAfter(symbol, days.date, instruments) !== tradedAfter(symbol, days.before, instruments),
  );
}

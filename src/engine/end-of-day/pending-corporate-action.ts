import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { nextTradingDay } from '../market/calendar.ts';
import { type CalendarExceptions, heldCalendar } from '../market/calendar-exceptions.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { Instrument } from '../market/instrument.ts';

/**
 * Whether a split or dividend takes effect between the close of `date` and the next opening: prices across it do not
 * compare.
 */
export function hasPendingCorporateAction(
  symbol: Symbol,
  date: IsoDate,
  {
    actions,
    instruments,
    exceptions,
  }: {
    readonly actions: ReadonlyMap<Symbol, readonly CorporateAction[]>;
    readonly instruments: ReadonlyMap<Symbol, Instrument>;
    readonly exceptions: CalendarExceptions;
  },
): boolean {
  const calendar = instruments.get(symbol)?.calendar ?? 'us-equity';
  const next = nextTradingDay(heldCalendar(calendar, exceptions), date);
  return actions.get(symbol)?.some(({ exDate }) => exDate > date && exDate <= next) ?? false;
}

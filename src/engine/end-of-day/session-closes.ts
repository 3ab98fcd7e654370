// A closed session with the close of each instrument.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { type CalendarExceptions, dayEndedAt } from '../market/calendar-exceptions.ts';
import type { CalendarId } from '../market/instrument.ts';
import { parseOption } from '../market/option-contract.ts';
import { optionClose } from '../market/derivatives/option-price.ts';
import type { ClosedSession } from './end-of-day-events.ts';

export type SessionCloses = ClosedSession & { readonly closedAt: Instant };

export type ClosedBars = {
  /** The close of the bar that ends at an instant. */
  closeAt(symbol: Symbol, at: Instant): number | undefined;
  series(symbol: Symbol): BarSeries;
};

/** Each close is looked up once. */
export function sessionCloses(
  {
    instruments,
    actions,
    marks,
    exceptions,
    isHeldToExpiry,
  }: Pick<ClosedSession, 'instruments' | 'actions' | 'marks' | 'isHeldToExpiry'> & {
    readonly exceptions: CalendarExceptions;
  },
  bars: ClosedBars,
  { calendar, date }: { readonly calendar: CalendarId; readonly date: IsoDate },
): SessionCloses {
  const closedAt = dayEndedAt(calendar, date, exceptions);
  const closes = new Map<Symbol, number | undefined>();
  /**
   * An option's close follows from its underlying's bars; an instrument without its own bars is valued at its last
   * price.
   */
  const findClose = (symbol: Symbol): number | undefined => {
    const option = parseOption(symbol);
    if (option === null) return bars.closeAt(symbol, closedAt) ?? marks.get(symbol);
    if (bars.closeAt(option.underlying, closedAt) === undefined) return undefined;
    const series = bars.series(option.underlying);
    return optionClose(option, series, series.closedAt.indexOf(closedAt));
  };
  const closeOf = (symbol: Symbol) => {
    if (!closes.has(symbol)) closes.set(symbol, findClose(symbol));
    return closes.get(symbol);
  };
  return { calendar, date, closedAt, instruments, actions, marks, closeOf, isHeldToExpiry };
}

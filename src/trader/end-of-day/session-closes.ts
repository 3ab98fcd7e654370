// A closed session with the close of each instrument.
import type { ClosedSession } from '#engine/end-of-day/end-of-day-events.ts';
import { session } from '#engine/market/calendar.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import { optionClose } from '#engine/market/option-price.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import type { BarHistory } from '../market-data/bar-history.ts';
import type { TradingContext } from '../trading-context.ts';

export type SessionCloses = ClosedSession & { readonly closedAt: Instant };

/** Each close is looked up once. */
export function sessionCloses(
  { instruments, actions, marks }: Pick<TradingContext, 'instruments' | 'actions' | 'marks'>,
  history: BarHistory,
  { calendar, date }: { readonly calendar: CalendarId; readonly date: IsoDate },
): SessionCloses {
  const closedAt = session(calendar, date)!.closesAt;
  const closes = new Map<Symbol, number | undefined>();
  /** An option's follows from its underlying's bars; what has no bars of its own is taken at its last price. */
  const findClose = (symbol: Symbol): number | undefined => {
    const option = parseOption(symbol);
    if (option === null) return history.closeAt(symbol, closedAt) ?? marks.get(symbol);
    if (history.closeAt(option.underlying, closedAt) === undefined) return undefined;
    const bars = history.series(option.underlying);
    return optionClose(option, bars, bars.closedAt.indexOf(closedAt));
  };
  const closeOf = (symbol: Symbol) => {
    if (!closes.has(symbol)) closes.set(symbol, findClose(symbol));
    return closes.get(symbol);
  };
  return { calendar, date, closedAt, instruments, actions, marks, closeOf };
}

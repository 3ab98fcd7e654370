// The effect of the end of a session on a position held over it: splits, dividends, swaps, expiries, deliveries.
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { type Quantity, ZERO_QUANTITY } from '#units/quantity.ts';
import { nextTradingDay } from '../market/calendar.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { CalendarId, Instrument, Marks } from '../market/instrument.ts';
import { KIND_RULES } from '../market/kinds/rules-of.ts';
import { parseOption } from '../market/option-contract.ts';
import type { PositionEvent } from '../market/position-event.ts';
import { dollarsPerQuote } from '../portfolio/quote-rate.ts';

export type ClosedSession = {
  readonly calendar: CalendarId;
  readonly date: IsoDate;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly actions: ReadonlyMap<Symbol, readonly CorporateAction[]>;
  readonly marks: Marks;
  /** Undefined when the session has no close of it. */
  readonly closeOf: (symbol: Symbol) => number | undefined;
  /** See EndOfDay. */
  readonly isHeldToExpiry: boolean;
};

export type ClosingPosition = {
  readonly symbol: Symbol;
  /** Signed. */
  readonly held: Quantity;
  /** The same holder's position in the underlying of an option. */
  readonly heldOf: (symbol: Symbol) => Quantity | undefined;
};

export type EndOfDayEvents =
  | { readonly events: readonly PositionEvent[]; readonly missingClose: null }
  /** Undecided until this close is known. */
  | { readonly events: null; readonly missingClose: Symbol };

export function endOfDayEvents(
  { symbol, held, heldOf }: ClosingPosition,
  { calendar, date, instruments, actions, marks, closeOf, isHeldToExpiry }: ClosedSession,
): EndOfDayEvents {
  const instrument = instruments.get(symbol);
  if (instrument?.calendar !== calendar) return NOTHING;
  const { overnight } = KIND_RULES[instrument.kind];
  if (overnight === null) return NOTHING;
  const close = closeOf(symbol);
  if (close === undefined) return { events: null, missingClose: symbol };
  const option = parseOption(symbol);
  const underlying = option && {
    close: closeOf(option.underlying),
    actions: actions.get(option.underlying) ?? [],
    held: heldOf(option.underlying) ?? ZERO_QUANTITY,
  };
  if (underlying !== null && underlying.close === undefined)
    return { events: null, missingClose: option!.underlying };
  const events = overnight({
    instrument,
    held,
    date,
    next: nextTradingDay(calendar, date),
    close,
    rate: dollarsPerQuote(instrument, close, marks),
    actions: actions.get(symbol) ?? [],
    underlying: underlying && { ...underlying, close: underlying.close! },
    isHeldToExpiry,
  });
  return { events, missingClose: null };
}

const NOTHING: EndOfDayEvents = { events: [], missingClose: null };

// Prices that fit the holding. A split or a dividend changes both, but not at the same moment: the quote at a close or
// at an opening, the holding once its session has been processed. In between no decision mixes the two.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import { nextTradingDay } from '../market/calendar.ts';
import { type CalendarExceptions, heldCalendar } from '../market/calendar-exceptions.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { Bar, CalendarId, Instrument, Marks } from '../market/instrument.ts';
import { quotedDays } from '../market-data/validate-quote.ts';

export type QuotedMarket = {
  readonly now: Instant;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly marks: Marks;
  /** When the quotes of splitting or paying instruments were made. */
  readonly quotedAt: ReadonlyMap<Symbol, Instant>;
  /** Symbols that should have a price now but do not. */
  readonly unpriced: readonly Symbol[];
  readonly actions: ReadonlyMap<Symbol, readonly CorporateAction[]>;
  readonly exceptions: CalendarExceptions;
};

export type AdjustedMarks = Pick<QuotedMarket, 'marks' | 'unpriced'>;

type Closes = {
  /** The last session of each calendar whose end of day has been processed. */
  readonly processed: ReadonlyMap<CalendarId, IsoDate>;
  readonly newestBar: (symbol: Symbol) => Bar | null;
};

/**
 * The marks without the prices that do not fit yet: a holding keeps its last value until its session has been
 * processed. Between the last session before a split or a dividend and the first one after it nothing trades; the price
 * is then the last close, less the split or the payment, regardless of the feed.
 */
export function adjustMarks(market: QuotedMarket, closes: Closes): AdjustedMarks {
  const adjusted = new Map<Symbol, number | null>();
  for (const [symbol, actions] of market.actions) {
    const calendar = market.instruments.get(symbol)?.calendar;
    if (calendar === undefined || !market.marks.has(symbol)) continue;
    const mark = adjustedMark({ symbol, calendar, actions }, market, closes);
    if (mark !== undefined) adjusted.set(symbol, mark);
  }
  if (adjusted.size === 0) return { marks: market.marks, unpriced: market.unpriced };
  const marks = new Map(market.marks);
  const unpriced = [...market.unpriced];
  for (const [symbol, mark] of adjusted) {
    if (mark !== null) marks.set(symbol, mark);
    else {
      marks.delete(symbol);
      unpriced.push(symbol);
    }
  }
  return { marks, unpriced };
}

type Share = {
  readonly symbol: Symbol;
  readonly calendar: CalendarId;
  readonly actions: readonly CorporateAction[];
};

/** Undefined where the quote is valid, null where there is none to use. */
function adjustedMark(
  { symbol, calendar, actions }: Share,
  { quotedAt, now, exceptions }: QuotedMarket,
  { processed, newestBar }: Closes,
): number | null | undefined {
  const held = heldCalendar(calendar, exceptions);
  const [last, next] = quotedDays(held, quotedAt.get(symbol) ?? now);
  const processedDate = processed.get(calendar);
  // Holdings include actions up to the opening after the last processed session.
  const counted = processedDate === undefined ? null : nextTradingDay(held, processedDate);
  if (counted !== null && actions.some(({ exDate }) => exDate > counted && exDate <= next)) return null;
  // A vendor's quote is as old as its trade: the holding may be in the shares of a later day.
  const reached = counted !== null && counted > next ? counted : next;
  const since = (day: IsoDate) => actions.filter(({ exDate }) => exDate > day && exDate <= reached);
  if (since(last).length === 0) return undefined;
  const bar = newestBar(symbol);
  if (bar === null || bar.date < last) return null;
  return since(bar.date).reduce(
    (price, { kind, amount }) => (kind === 'split' ? price / amount : price - amount),
    bar.close,
  );
}
